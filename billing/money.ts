/** Euros are decimal text with up to nine places, as NUMERIC(20,9) holds them. */

/**
 * The number a response shows: six places, rounded half to even. `text` is decimal text as PostgreSQL writes it.
 * Exact for amounts below 9 billion.
 */
export function wireEur(text: string): number {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (!match) throw new RangeError(`not a decimal amount: ${text}`);
  const [, sign = "", whole = "", fraction = ""] = match;
  const digits = BigInt(whole + fraction.slice(0, 6).padEnd(6, "0"));
  const rest = fraction.slice(6).replace(/0+$/, "");
  const half = rest === "5" ? digits % 2n === 1n : rest >= "5";
  const micros = digits + (half ? 1n : 0n);
  return Number(`${sign}${micros / 1_000_000n}.${String(micros % 1_000_000n).padStart(6, "0")}`) + 0;
}

/** An amount that a person typed: plain decimal text, over 0, at most nine places and eleven digits before them. */
export function parseAmount(text: string): string {
  if (!/^\d{1,11}(\.\d{1,9})?$/.test(text) || /^[0.]+$/.test(text)) {
    throw new RangeError(
      `${JSON.stringify(text)} is not an amount in euros: write a number over 0 such as 25 or 12.50`,
    );
  }
  return text;
}

/** Whole nano-euros of decimal text with up to nine places. */
export function nanoEur(text: string): bigint {
  const match = /^(-?)(\d+)(?:\.(\d{1,9}))?$/.exec(text);
  if (!match) throw new RangeError(`not a decimal amount of up to nine places: ${text}`);
  const [, sign, whole = "", fraction = ""] = match;
  const value = BigInt(whole + fraction.padEnd(9, "0"));
  return sign ? -value : value;
}

/** Decimal text with nine places, as invoices print it. */
export function eurText(nano: bigint): string {
  const digits = String(nano < 0n ? -nano : nano).padStart(10, "0");
  return `${nano < 0n ? "-" : ""}${digits.slice(0, -9)}.${digits.slice(-9)}`;
}

/** `dividend` ÷ `divisor` (over 0) as a whole number, half to even. */
export function roundedQuotient(dividend: bigint, divisor: bigint): bigint {
  const floor = dividend / divisor - (dividend % divisor < 0n ? 1n : 0n);
  const twice = 2n * (dividend - floor * divisor);
  return twice > divisor || (twice === divisor && floor % 2n !== 0n) ? floor + 1n : floor;
}
