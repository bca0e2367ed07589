import type { Lexicon } from "../language/lexicon.ts";
import { letterAt, lettersIn } from "./letters.ts";
import { numberAt } from "./numbers.ts";
import { fold, type Token, tokenise } from "./tokens.ts";

/**
 * What a turn says, spoken and written forms alike: digits ("cuarenta y cinco", `45`), letters ("uve doble", `W`), signs
 * ("arroba", `@`) and plain words. Offsets are of the turn's own text.
 */
export type Element = Digits | Letters | Sign | Word;

interface Place {
  start: number;
  end: number;
}

export interface Digits extends Place {
  kind: "digits";
  /** Digits only. */
  text: string;
  /** Said in words. */
  spoken: boolean;
}

export interface Letters extends Place {
  kind: "letters";
  /** Capitals only. */
  text: string;
  /** Perhaps a plain word. */
  weak: boolean;
  /** A word of a spelling alphabet: sure next to digits and letters. */
  code: boolean;
  /** That word, folded: "november". */
  word?: string;
}

export interface Sign extends Place {
  kind: "sign";
  text: string;
  spoken: boolean;
}

export interface Word extends Place {
  kind: "word";
  /** Folded. */
  text: string;
  written: string;
}

/** A reading of the tokens from one place on: what it is and how many it takes. */
export interface Reading<T> {
  value: T;
  length: number;
}

export interface Turn {
  text: string;
  folded: string;
  elements: Element[];
}

export function readTurn(text: string, lexicon: Lexicon): Turn {
  const tokens = tokenise(text);
  const elements: Element[] = [];
  for (let at = 0; at < tokens.length; ) {
    const { element, length } = elementAt(tokens, at, lexicon);
    elements.push(element);
    at += length;
  }
  return { text, folded: fold(text), elements: withMisheard(elements, fold(text), lexicon) };
}

/** So many of the elements around, to either side, are looked at; so many of them are digits where a value is dictated. */
const AROUND = 3;
const DICTATED = 3;

/** "four one to seven", "seis los cuatro nueve": between digits, among more of them, a word that sounds as a digit is one. */
function withMisheard(elements: readonly Element[], folded: string, { misheard, numbers }: Lexicon): Element[] {
  const isDigits = (at: number) => elements[at]?.kind === "digits";
  const isComma = (at: number) => elements[at]?.kind === "sign" && /^[,.]$/u.test((elements[at] as Sign).text);
  const isBeside = (at: number, step: number) => isDigits(at + step) || (isComma(at + step) && isDigits(at + 2 * step));
  return elements.map((element, at) => {
    const word = folded.slice(element.start, element.end);
    // English "o" beside digits is a zero; Spanish "o" is "or".
    if (element.kind === "letters" && word === "o" && numbers.units.oh === 0 && (isBeside(at, 1) || isBeside(at, -1)))
      return { kind: "digits", text: "0", spoken: true, start: element.start, end: element.end };
    const digit = Object.hasOwn(misheard, word) ? misheard[word] : undefined;
    if (digit === undefined || element.kind === "digits" || !isDigits(at - 1) || !isDigits(at + 1)) return element;
    const around = elements.slice(Math.max(0, at - AROUND), at + AROUND + 1).filter(({ kind }) => kind === "digits");
    const { start, end } = element;
    return around.length < DICTATED ? element : { kind: "digits", text: String(digit), spoken: true, start, end };
  });
}

function elementAt(tokens: Token[], at: number, lexicon: Lexicon): { element: Element; length: number } {
  const token = tokens[at] as Token;
  const place = (length: number) => ({ start: token.start, end: (tokens[at + length - 1] as Token).end });
  const aside = phraseAt(tokens, at, lexicon.asides, 6);
  if (aside) {
    const { text: last, written } = tokens[at + aside.length - 1] as Token;
    const text = aside.value === true ? last : aside.value;
    return { element: { kind: "word", text, written, ...place(aside.length) }, length: aside.length };
  }
  const glued = lettersIn(tokens, at, lexicon);
  if (glued && !glued.weak && token.text.length > 1)
    return { element: { kind: "letters", ...glued, code: false, ...place(1) }, length: 1 };
  const letter = letterAt(tokens, at, lexicon);
  if (letter?.sure)
    return {
      element: { kind: "letters", text: letter.value, weak: false, code: false, ...place(letter.length) },
      length: letter.length,
    };
  const number = numberAt(tokens, at, lexicon);
  if (number)
    return {
      element: { kind: "digits", text: number.value, spoken: token.kind === "word", ...place(number.length) },
      length: number.length,
    };
  const sign = signAt(tokens, at, lexicon);
  if (sign)
    return {
      element: { kind: "sign", text: sign.value, spoken: token.kind === "word", ...place(sign.length) },
      length: sign.length,
    };
  if (letter)
    return {
      element: {
        kind: "letters",
        ...{ text: letter.value, weak: letter.weak, code: letter.code },
        ...(letter.code && { word: token.text }),
        ...place(letter.length),
      },
      length: letter.length,
    };
  if (glued) return { element: { kind: "letters", ...glued, code: false, ...place(1) }, length: 1 };
  if (token.kind === "word")
    return { element: { kind: "word", text: token.text, written: token.written, ...place(1) }, length: 1 };
  return { element: { kind: "sign", text: token.text, spoken: false, ...place(1) }, length: 1 };
}

/** The longest phrase of the table that stands here; its words are next to each other. */
export function phraseAt<T>(tokens: Token[], at: number, table: Record<string, T>, most = 3): Reading<T> | null {
  let found: Reading<T> | null = null;
  let phrase = "";
  for (let length = 1; length <= most; length++) {
    const token = tokens[at + length - 1];
    if (!token || (token.kind !== "word" && token.text !== "-")) break;
    phrase =
      token.text === "-"
        ? `${phrase}-`
        : phrase === "" || phrase.endsWith("-")
          ? phrase + token.text
          : `${phrase} ${token.text}`;
    const value = Object.hasOwn(table, phrase) ? table[phrase] : undefined;
    if (value !== undefined) found = { value, length };
  }
  return found;
}

function signAt(tokens: Token[], at: number, { signs }: Lexicon): Reading<string> | null {
  return tokens[at]?.kind === "word" ? phraseAt(tokens, at, signs) : null;
}
