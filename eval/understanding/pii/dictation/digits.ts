import type { Random } from "../random.ts";
import type { DigitStyle, Style } from "../types.ts";
import type { Words } from "./words.ts";

/** The words in which a person of that style says a group of digits. */
export function sayDigits(digits: string, style: Style, words: Words, random: Random): string[] {
  switch (style.digits) {
    case "solid":
    case "grouped":
      return [digits];
    case "spaced":
      return [...digits];
    case "single":
      return singles(digits, style, words, random);
    case "pairs":
      return pieces(digits, 2).flatMap((pair) => asNumber(pair, words));
    case "hundreds":
    case "number":
      return pieces(
        digits,
        digits.length % 3 === 0 || digits.length > 4 ? 3 : digits.length === 4 ? 2 : digits.length,
      ).flatMap((part) => asNumber(part, words));
    case "mixed":
      return mixed(digits, style, words, random);
  }
}

function singles(digits: string, style: Style, words: Words, random: Random): string[] {
  const said: string[] = [];
  const zero = words.digit("0") === "zero" && random.chance(0.5) ? "oh" : words.digit("0");
  const name = (sign: string) => (sign === "0" ? zero : words.digit(sign));
  for (let at = 0; at < digits.length; ) {
    const sign = digits[at] as string;
    let run = 1;
    while (digits[at + run] === sign) run += 1;
    if (run >= 3 && random.chance(style.doubles)) {
      said.push(random.pick(words.triple), name(sign));
      at += 3;
    } else if (run >= 2 && random.chance(style.doubles)) {
      said.push(random.pick(words.double), name(sign));
      at += 2;
    } else {
      said.push(name(sign));
      at += 1;
    }
  }
  return said;
}

function pieces(digits: string, size: number): string[] {
  const parts: string[] = [];
  for (let at = 0; at < digits.length; at += size) parts.push(digits.slice(at, at + size));
  return parts;
}

/** "cuarenta y cinco"; leading zeros one by one. */
function asNumber(digits: string, words: Words): string[] {
  if (!digits.startsWith("0") || digits.length === 1) return words.number(Number(digits)).split(" ");
  return [words.digit("0"), ...asNumber(digits.slice(1), words)];
}

const MIXED: DigitStyle[] = ["solid", "spaced", "single", "pairs"];

/** As recognition writes: "4 5 67, ocho". */
function mixed(digits: string, style: Style, words: Words, random: Random): string[] {
  const said: string[] = [];
  for (let at = 0; at < digits.length; ) {
    const size = random.whole(1, 3);
    said.push(...sayDigits(digits.slice(at, at + size), { ...style, digits: random.pick(MIXED) }, words, random));
    at += size;
  }
  return said;
}
