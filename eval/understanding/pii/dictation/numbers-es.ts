const UNITS = ["cero", "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve"];
const TEENS = [
  "diez",
  "once",
  "doce",
  "trece",
  "catorce",
  "quince",
  "dieciséis",
  "diecisiete",
  "dieciocho",
  "diecinueve",
];
const TWENTIES = [
  "veinte",
  "veintiuno",
  "veintidós",
  "veintitrés",
  "veinticuatro",
  "veinticinco",
  "veintiséis",
  "veintisiete",
  "veintiocho",
  "veintinueve",
];
const TENS = ["", "", "", "treinta", "cuarenta", "cincuenta", "sesenta", "setenta", "ochenta", "noventa"];
const HUNDREDS = [
  "",
  "ciento",
  "doscientos",
  "trescientos",
  "cuatrocientos",
  "quinientos",
  "seiscientos",
  "setecientos",
  "ochocientos",
  "novecientos",
];

/** Below a thousand million. */
export function spanishNumber(number: number): string {
  if (number < 10) return UNITS[number] as string;
  if (number < 20) return TEENS[number - 10] as string;
  if (number < 30) return TWENTIES[number - 20] as string;
  if (number < 100) {
    const unit = number % 10;
    return `${TENS[Math.floor(number / 10)]}${unit ? ` y ${UNITS[unit]}` : ""}`;
  }
  if (number === 100) return "cien";
  if (number < 1000) {
    const rest = number % 100;
    return `${HUNDREDS[Math.floor(number / 100)]}${rest ? ` ${spanishNumber(rest)}` : ""}`;
  }
  if (number < 1_000_000) return thousands(number, 1000, "mil", "mil");
  return thousands(number, 1_000_000, "un millón", "millones");
}

function thousands(number: number, of: number, one: string, many: string): string {
  const head = Math.floor(number / of);
  const rest = number % of;
  const count = spanishNumber(head).replace(/uno$/u, "ún").replace(/ún$/u, "un").replace("veintiun", "veintiún");
  return `${head === 1 ? one : `${count} ${many}`}${rest ? ` ${spanishNumber(rest)}` : ""}`;
}

export const spanishDigit = (sign: string) => UNITS[Number(sign)] as string;
