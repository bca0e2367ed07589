import { CODE_WORDS, type Lexicon } from "../language/lexicon.ts";
import { phraseAt, type Reading } from "./elements.ts";
import type { Token } from "./tokens.ts";

interface Spelled extends Reading<string> {
  weak: boolean;
  code: boolean;
  /** Nothing else can be meant: "be de burro". */
  sure: boolean;
}

/** A spelled letter that begins at this token: "zeta", "Z", "zeta de Zaragoza", "B as in boy", "doble ele". */
export function letterAt(tokens: Token[], at: number, lexicon: Lexicon): Spelled | null {
  const named = nameAt(tokens, at, lexicon);
  if (named) {
    const like = likeAt(tokens, at + named.length, named.value, lexicon);
    return like ? { ...named, length: named.length + like, weak: false, sure: true } : named;
  }
  const times = Object.hasOwn(lexicon.numbers.times, tokens[at]?.text ?? "")
    ? lexicon.numbers.times[tokens[at]?.text as string]
    : undefined;
  if (times === undefined) return null;
  const twice = nameAt(tokens, at + 1, lexicon);
  return twice && { value: twice.value.repeat(times), length: 1 + twice.length, weak: false, code: false, sure: false };
}

function nameAt(tokens: Token[], at: number, { letters, weakLetters }: Lexicon): Spelled | null {
  if (tokens[at]?.kind !== "word") return null;
  const name = phraseAt(tokens, at, letters);
  const weak = phraseAt(tokens, at, weakLetters);
  if (name && name.length >= (weak?.length ?? 0)) return { ...name, weak: false, code: false, sure: name.length > 1 };
  const { written, text } = tokens[at] as Token;
  const spells = Object.hasOwn(CODE_WORDS, text);
  if (weak && (weak.length > 1 || written.length > 1)) return { ...weak, weak: true, code: spells, sure: false };
  if (written.length !== 1 || !/^[\p{L}]$/u.test(written))
    return weak && { ...weak, weak: true, code: spells, sure: false };
  // "¿Y qué más?": the capital is the sentence's.
  const opens = weak !== null && tokens[at + 1]?.kind === "word" && (tokens[at + 1]?.written.length ?? 0) > 1;
  const heads = opens && (at === 0 || /^[.?!¿¡…]$/u.test(tokens[at - 1]?.text ?? ""));
  const code = /^\p{Lu}$/u.test(written) && !heads;
  return { value: text.toUpperCase(), length: 1, weak: weak !== null, code, sure: false };
}

/** How many tokens "de Zaragoza", "as in zebra" take behind the letter; 0 when there is none. */
function likeAt(tokens: Token[], at: number, letter: string, { like, letters }: Lexicon): number {
  const pause = tokens[at]?.text === "," ? 1 : 0;
  const link = phraseAt(tokens, at + pause, Object.fromEntries(like.map((words) => [words, true])));
  if (!link) return 0;
  const example = tokens[at + pause + link.length];
  if (letter === "X" && phraseAt(tokens, at + pause + link.length, CODE_WORDS)?.value === "X")
    return pause + link.length + (phraseAt(tokens, at + pause + link.length, CODE_WORDS)?.length ?? 0);
  if (!example) return 0;
  if (Object.hasOwn(letters, example.text))
    return letters[example.text] === letter && letter.length > 0 && example.text.length > 3
      ? pause + link.length + 1
      : 0;
  return example.kind === "word" && example.text.length > 2 && beginsWith(example.text, letter)
    ? pause + link.length + 1
    : 0;
}

/** B and V, C and K, and a silent H are heard as one. */
const ALIKE: Record<string, string> = {
  B: "BV",
  V: "BV",
  C: "CKSZ",
  K: "KCQ",
  Q: "QCK",
  Z: "ZCS",
  S: "SZC",
  G: "GJ",
  J: "JGH",
  Y: "YI",
  I: "IY",
  W: "WGU",
  X: "XSE",
  H: "HAEIOU",
};

function beginsWith(word: string, letter: string): boolean {
  return (ALIKE[letter] ?? letter).includes((word[0] as string).toUpperCase());
}

/** Letters written together: `BCD`, `8026zzh`. */
export function lettersIn(
  tokens: Token[],
  at: number,
  { short, cues, between }: Lexicon,
): { text: string; weak: boolean } | null {
  const { kind, text, written, start, end } = tokens[at] as Token;
  const beside = [tokens[at - 1], tokens[at + 1]];
  if (
    INITIALISMS.has(text) &&
    !beside.some((next) => next?.kind === "number" || /^[^aeiouy]$/u.test(next?.written ?? ""))
  )
    return null;
  if (kind !== "word" || written.length > 4 || !/^[a-zñ]+$/u.test(text)) return null;
  if (/^[A-ZÑ]{2,3}$/u.test(written) && !isCue(text, cues)) return { text: written, weak: false };
  const glued = [tokens[at - 1], tokens[at + 1]].some(
    (next) => next?.kind === "number" && (next.end === start || next.start === end),
  );
  const value = { text: text.toUpperCase() };
  if (glued && !ORDINAL.has(text)) return { ...value, weak: false };
  if (short.has(text) || between.has(text) || isCue(text, cues)) return null;
  if (/^[A-ZÑ]+$/u.test(written)) return { ...value, weak: written.length > 3 };
  return written.length <= 3 || !/[aeiou]/u.test(text) ? { ...value, weak: true } : null;
}

/** Written in capitals and no spelling, unless digits or lone letters are next to them: "your user ID". */
const INITIALISMS = new Set(
  "id ids sms usb tv gps iva vip pc uk us usa eu ue pdf url atm faq nhs utr hsbc dhl ups gls itv dgt app sim hdmi led dvd adsl vpn wps nfc bt".split(
    " ",
  ),
);

function isCue(text: string, cues: Lexicon["cues"]): boolean {
  return cues.some(({ words }) => new RegExp(`^${words.source}$`, "u").test(text));
}

const ORDINAL = new Set([
  "st",
  "nd",
  "rd",
  "th",
  "mb",
  "gb",
  "kg",
  "km",
  "cm",
  "h",
  "hs",
  "am",
  "pm",
  "min",
  "eur",
  "kw",
  "kwh",
  "g",
  "m",
  "p",
  "º",
  "ª",
]);
