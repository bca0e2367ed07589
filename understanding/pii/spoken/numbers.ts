import type { Lexicon, NumberWords } from "../language/lexicon.ts";
import type { Reading } from "./elements.ts";
import type { Token } from "./tokens.ts";

/**
 * Digits that begin at this token: written ones, or the words of one number ("seiscientos doce" is 612, "doble cero" 00,
 * "tres cincos" 555). Numbers said one after the other stay apart: "twelve thirty-four" is 12, then 34.
 */
export function numberAt(tokens: Token[], at: number, { numbers }: Lexicon): Reading<string> | null {
  const token = tokens[at];
  // "47 millones 112 mil 309" is the digits of a document, said in groups.
  if (token?.kind === "number") return { value: token.text, length: scaled(tokens, at + 1, numbers) ? 2 : 1 };
  if (token?.kind !== "word") return null;
  return repeated(tokens, at, numbers) ?? counted(tokens, at, numbers) ?? whole(tokens, at, numbers);
}

const word = (tokens: Token[], at: number) => (tokens[at]?.kind === "word" ? (tokens[at] as Token).text : "");
const of = <T>(table: Record<string, T>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** A single digit, in a word or written. */
function digitAt(tokens: Token[], at: number, { units }: NumberWords): string | null {
  const token = tokens[at];
  if (token?.kind === "number" && token.text.length === 1) return token.text;
  const unit = of(units, word(tokens, at));
  return unit === undefined ? (word(tokens, at) === "o" && units.oh === 0 ? "0" : null) : String(unit);
}

/** "doble cero", "triple five", "tres veces el dos". */
function repeated(tokens: Token[], at: number, numbers: NumberWords): Reading<string> | null {
  const times = of(numbers.times, word(tokens, at));
  if (times !== undefined) {
    const digit = digitAt(tokens, at + 1, numbers);
    if (digit !== null) return { value: digit.repeat(times), length: 2 };
    const pair = of(numbers.tens, word(tokens, at + 1)) ?? of(numbers.teens, word(tokens, at + 1));
    return pair === undefined ? null : { value: String(pair).repeat(times), length: 2 };
  }
  const count = Number(digitAt(tokens, at, numbers) ?? 0);
  if (count < 2 || word(tokens, at + 1) !== "veces") return null;
  const article = word(tokens, at + 2) === "el" ? 1 : 0;
  const digit = digitAt(tokens, at + 2 + article, numbers);
  return digit === null ? null : { value: digit.repeat(count), length: 3 + article };
}

/** "dos ceros", "three nines". */
function counted(tokens: Token[], at: number, numbers: NumberWords): Reading<string> | null {
  const digit = of(numbers.plurals, word(tokens, at + 1));
  const count = Number(digitAt(tokens, at, numbers) ?? 0);
  return digit === undefined || count < 2 ? null : { value: String(digit).repeat(count), length: 2 };
}

/** One number of up to nine digits by the language's own grammar. */
function whole(tokens: Token[], at: number, numbers: NumberWords): Reading<string> | null {
  const first = belowThousand(tokens, at, numbers);
  const bare = numbers.thousand.has(word(tokens, at)) && Object.keys(numbers.hundreds).length > 0;
  const one = (word(tokens, at) === "un" || word(tokens, at) === "a") && scaled(tokens, at + 1, numbers) > 0;
  if (!first && !bare && !one) return null;
  let total = 0;
  let part = first?.value ?? (one ? 1 : bare ? 1 : 0);
  let length = first?.length ?? (one ? 1 : 0);
  let limit = Number.POSITIVE_INFINITY;
  let lonely = !one && !bare;
  for (;;) {
    const scale = scaled(tokens, at + length, numbers);
    if (scale === 0 || scale >= limit || part === 0) break;
    lonely = false;
    limit = scale;
    length += 1;
    // "doce mil millones" is nobody's number.
    total += part * scale;
    const and = numbers.and === "and" && word(tokens, at + length) === "and" ? 1 : 0;
    const rest = belowThousand(tokens, at + length + and, numbers);
    part = rest?.value ?? 0;
    if (!rest) break;
    length += and + rest.length;
  }
  if (first?.ordinal && lonely) return { value: String(part), length };
  return { value: String(total + part), length };
}

/** 1,000 or 1,000,000 where such a word stands, else 0. */
function scaled(tokens: Token[], at: number, { thousand, million }: NumberWords): number {
  return thousand.has(word(tokens, at)) ? 1000 : million.has(word(tokens, at)) ? 1_000_000 : 0;
}

interface Small extends Reading<number> {
  ordinal: boolean;
}

function belowThousand(tokens: Token[], at: number, numbers: NumberWords): Small | null {
  const hundreds = of(numbers.hundreds, word(tokens, at));
  if (hundreds !== undefined) {
    const rest = belowHundred(tokens, at + 1, numbers);
    return rest
      ? { value: hundreds + rest.value, length: 1 + rest.length, ordinal: false }
      : { value: hundreds, length: 1, ordinal: false };
  }
  const small = belowHundred(tokens, at, numbers);
  if (!small || small.value === 0 || !numbers.hundred.has(word(tokens, at + small.length))) return small;
  const length = small.length + 1;
  const and = word(tokens, at + length) === numbers.and ? 1 : 0;
  const rest = belowHundred(tokens, at + length + and, numbers);
  // "one hundred and", followed by something else: the "and" is not the number's.
  // "eight hundred five five five": digits follow, they are no part of the number.
  const digits =
    and === 0 &&
    rest?.length === 1 &&
    rest.value < 10 &&
    of(numbers.units, word(tokens, at + length + 1)) !== undefined;
  if (!rest || rest.value === 0 || digits) return { value: small.value * 100, length, ordinal: false };
  return { value: small.value * 100 + rest.value, length: length + and + rest.length, ordinal: rest.ordinal };
}

function belowHundred(tokens: Token[], at: number, numbers: NumberWords): Small | null {
  const said = word(tokens, at);
  const tens = of(numbers.tens, said);
  if (tens !== undefined) {
    const hyphen = tokens[at + 1]?.text === "-" ? 1 : 0;
    const and = numbers.and === "y" && word(tokens, at + 1) === "y" ? 1 : 0;
    const next = word(tokens, at + 1 + hyphen + and);
    const unit = of(numbers.units, next) ?? (next === "un" ? 1 : undefined);
    // "fifty five hundred": 50, then 500.
    const apart = hyphen === 0 && numbers.hundred.has(word(tokens, at + 2 + and));
    if (unit && !apart) return { value: tens + unit, length: 2 + hyphen + and, ordinal: false };
    const last = of(numbers.ordinals, next);
    if (last !== undefined && last < 10 && and === 0) return { value: tens + last, length: 2 + hyphen, ordinal: true };
    return { value: tens, length: 1, ordinal: false };
  }
  const small = of(numbers.teens, said) ?? of(numbers.units, said);
  if (small !== undefined) return { value: small, length: 1, ordinal: false };
  const ordinal = of(numbers.ordinals, said);
  return ordinal === undefined ? null : { value: ordinal, length: 1, ordinal: true };
}
