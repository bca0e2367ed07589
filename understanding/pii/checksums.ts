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
