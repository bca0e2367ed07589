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
