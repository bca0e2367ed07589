/** Luhn, ISO/IEC 7812-1 annex B: the check digit of payment cards. `digits` are digits only. */
export function luhn(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits[digits.length - 1 - place]);
    const weighed = place % 2 ? digit * 2 : digit;
    sum += weighed > 9 ? weighed - 9 : weighed;
  }
  return digits.length > 0 && sum % 10 === 0;
}

/** ISO 13616: an IBAN's number, its head moved behind and letters as 10 to 35, leaves 1 when divided by 97. */
export function iban(value: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/u.test(value)) return false;
  const turned = value.slice(4) + value.slice(0, 4);
  let rest = 0;
  for (const sign of turned) {
    const number = Number.parseInt(sign, 36);
    rest = (rest * (number > 9 ? 100 : 10) + number) % 97;
  }
  return rest === 1;
}

/** The letter of a Spanish DNI or NIE (Real Decreto 1553/2005, art. 11): the number's rest by 23; X, Y, Z stand for 0, 1, 2. */
export function dni(value: string): boolean {
  const {
    head = "",
    digits = "",
    letter,
  } = /^(?<head>[XYZ]?)(?<digits>\d{7,8})(?<letter>[A-Z])$/u.exec(value)?.groups ?? {};
  const number = Number((head && "XYZ".indexOf(head)) + digits);
  return letter !== undefined && "TRWAGMYFPDXBNJZSQVHLCKE"[number % 23] === letter;
}

/** The control sign of a Spanish company's number (Orden EHA/451/2008). */
export function cif(value: string): boolean {
  const { digits, control } = /^[A-HJNP-SUVW](?<digits>\d{7})(?<control>[\dA-J])$/u.exec(value)?.groups ?? {};
  if (!digits || !control) return false;
  let sum = 0;
  [...digits].forEach((sign, place) => {
    const weighed = place % 2 ? Number(sign) : Number(sign) * 2;
    sum += weighed > 9 ? weighed - 9 : weighed;
  });
  const check = (10 - (sum % 10)) % 10;
  return control === String(check) || control === "JABCDEFGHI"[check];
}
