import { englishDigit, englishNumber } from "../dictation/numbers-en.ts";
import { spanishDigit, spanishNumber } from "../dictation/numbers-es.ts";
import type { Manner } from "./manner.ts";

/** Digits that are said in one breath, as recognition writes them. */
export function sayBreath(digits: string, manner: Manner): string {
  const { form, random } = manner;
  if (form === "numerals" || (form === "mixed" && random.chance(0.5))) return numerals(digits, manner);
  const repeated = repetition(digits, manner);
  if (repeated) return repeated;
  if (digits.length === 1 || random.chance(manner.singles)) return singles(digits, manner);
  return manner.language === "es" ? spanish(digits, manner) : english(digits, manner);
}

function numerals(digits: string, manner: Manner): string {
  const { random, language } = manner;
  const [first = "", rest = ""] = [digits[0], digits.slice(1)];
  // "seiscientos doce" comes out as "600 12" at times.
  if (language === "es" && digits.length === 3 && /^[1-9]0?[1-9]/u.test(digits) && random.chance(0.06))
    return `${first}00 ${Number(rest)}`;
  if (digits.length === 2 && digits[0] === digits[1] && random.chance(manner.doubles * 0.5))
    return `${language === "es" ? "doble" : "double"} ${first}`;
  if (random.chance(manner.singles * 0.6)) return [...digits].join(random.pick([" ", " ", ", ", "-"]));
  return digits;
}

/** "doble tres", "tres ceros", "three fives"; null when no digit is repeated, or it is not said so. */
function repetition(digits: string, manner: Manner): string | null {
  const { language, random } = manner;
  const count = digits.length;
  if (count < 2 || count > 4 || new Set(digits).size > 1 || !random.chance(manner.doubles)) return null;
  const one = digit(digits[0] as string, manner);
  if (language === "en") {
    const many = ["", "", "two", "three", "four"][count];
    const plural = one === "six" ? "sixes" : one === "o" ? "ohs" : `${one}s`;
    const times = ["", "", "double", "triple", "quadruple"][count];
    return random.chance(0.75) ? `${times} ${one}` : `${many} ${plural}`;
  }
  const many = ["", "", "dos", "tres", "cuatro"][count];
  const plural = /[sz]$/u.test(one) ? `${one.replace(/é?s$/u, "")}ses` : `${one}s`;
  const times = ["", "", "doble", "triple", "cuádruple"][count];
  return random.pick([
    `${times} ${one}`,
    `${times} ${one}`,
    `${many} ${one === "tres" || one === "dos" ? one : plural}`,
    `${many} veces el ${one}`,
  ]);
}

const digit = (sign: string, { language, zero }: Manner) =>
  sign === "0" ? zero : language === "es" ? spanishDigit(sign) : englishDigit(sign);

const singles = (digits: string, manner: Manner) =>
  [...digits].map((sign) => digit(sign, manner)).join(manner.random.chance(0.15) ? ", " : " ");

function spanish(digits: string, manner: Manner): string {
  const { random } = manner;
  if (digits.startsWith("0")) return `${digit("0", manner)} ${sayRest(digits.slice(1), manner)}`;
  if (digits.length <= 2) return spanishNumber(Number(digits));
  if (digits.length === 3)
    return random.chance(0.6)
      ? spanishNumber(Number(digits))
      : `${digit(digits[0] as string, manner)} ${sayRest(digits.slice(1), manner)}`;
  if (digits.length === 4 && random.chance(0.2)) return spanishNumber(Number(digits));
  return `${sayRest(digits.slice(0, 2), manner)} ${sayRest(digits.slice(2), manner)}`;
}

function english(digits: string, manner: Manner): string {
  const { random } = manner;
  const plain = (text: string) => (random.chance(0.5) ? text.replaceAll("-", " ") : text);
  if (digits.startsWith("0")) return `${digit("0", manner)} ${sayRest(digits.slice(1), manner)}`;
  if (digits.length <= 2) return plain(englishNumber(Number(digits)));
  if (digits.length === 3) {
    if (digits.endsWith("00") || random.chance(0.25)) return plain(englishNumber(Number(digits), random.chance(0.4)));
    return `${digit(digits[0] as string, manner)} ${sayRest(digits.slice(1), manner)}`;
  }
  if (digits.length === 4 && digits.endsWith("000")) return `${digit(digits[0] as string, manner)} thousand`;
  if (digits.length === 4 && digits.endsWith("00"))
    return plain(`${englishNumber(Number(digits.slice(0, 2)))} hundred`);
  return `${sayRest(digits.slice(0, 2), manner)} ${sayRest(digits.slice(2), manner)}`;
}

function sayRest(digits: string, manner: Manner): string {
  if (digits === "") return "";
  if (digits.length === 1) return digit(digits, manner);
  return manner.language === "es" ? spanish(digits, manner) : english(digits, manner);
}
