import type { Call } from "../types.ts";
import type { Context } from "./context.ts";
import type { Lexicon } from "./language/lexicon.ts";
import { isMeasured } from "./runs.ts";
import type { Digits, Element, Turn } from "./spoken/elements.ts";
import type { Entity } from "./types.ts";

/** Dates, where somebody's birth is spoken of. */
export function findBirthDates(_: Call, turns: readonly Turn[], context: Context, lexicon: Lexicon): Entity[] {
  // The turn in which some of a date was said last.
  let going = Number.NEGATIVE_INFINITY;
  return turns.flatMap((turn, utterance) => {
    const found: Entity[] = [];
    for (let at = 0; at < turn.elements.length; at++) {
      const date = dateAt(turn.elements, at, lexicon);
      if (date === 0) continue;
      const length = corrected(turn.elements, at, date, lexicon);
      const { start } = turn.elements[slippedBefore(turn.elements, at, lexicon)] as Element;
      const { end } = turn.elements[at + length - 1] as Element;
      const [subject] = context.at(utterance, start, { utterance, end });
      const whole = turn.elements.slice(at, at + length);
      if (subject?.topic === "DATE_OF_BIRTH" || (!subject && isAnswer(turn.elements, whole, lexicon))) {
        // "Quince del cuatro" may go on: "del ochenta".
        if (turn.elements.slice(at, at + length).filter((one) => isPart(one, lexicon)).length > 2)
          context.close(utterance);
        const rest =
          whole.filter((one) => isPart(one, lexicon)).length > 2 ? undefined : yearBehind(turn, at + length, lexicon);
        found.push({
          ...{ type: "DATE_OF_BIRTH", utterance, start, end: rest ?? end },
          ...{ confidence: 0.95, source: "rule" },
        });
      }
      at += length - 1;
    }
    if (found.length > 0) {
      if (partsIn(turn, found, lexicon) < 3) going = utterance;
      return found;
    }
    const goes = going >= utterance - 2;
    const asked = context.asked(utterance)?.topic === "DATE_OF_BIRTH";
    const part = (asked && partOf(turn, lexicon, false)) || (goes && partOf(turn, lexicon, true));
    const meant = part && (goes || asked);
    if (meant) going = utterance;
    return meant ? [{ type: "DATE_OF_BIRTH", utterance, ...part, confidence: 0.8, source: "rule" }] : [];
  });
}

/** So many words may come before the rest of a date: "tres del cuatro, a ver si lo digo bien, del ochenta". */
const BEHIND = 7;

/** Where the month or year ends that is said behind the talk after a date's beginning. */
function yearBehind(turn: Turn, from: number, lexicon: Lexicon): number | undefined {
  const near = turn.elements.slice(from, from + BEHIND);
  const at = near.findLastIndex((one) => isPart(one, lexicon) && !isMeasured(turn, one, lexicon));
  return near[at]?.end;
}

/** How many days, months and years a turn's dates have. */
function partsIn({ elements }: Turn, found: readonly Entity[], lexicon: Lexicon): number {
  return elements.filter(
    (one) => isPart(one, lexicon) && found.some(({ start, end }) => one.start >= start && one.end <= end),
  ).length;
}

/** Years in which a customer of today may have been born, and in which little else that calls are about happened. */
const BORN = /^(?:19[2-9]\d|200\d)$/u;

/** "It's May 19th, 1986", and nothing else: an answer whose question was not understood. */
function isAnswer(elements: readonly Element[], date: readonly Element[], lexicon: Lexicon): boolean {
  const rest = elements.filter((one) => !date.includes(one) && one.kind !== "sign" && !isLink(one, lexicon));
  return (
    rest.length === 0 &&
    date.some((one) => one.kind === "digits" && BORN.test(one.text)) &&
    date.filter((one) => isPart(one, lexicon)).length > 2
  );
}

const WAIT = /un segund|(?:a|one) sec|moment|minut/u;

/**
 * Of a date said over turns, "treinta" or "de noviembre", what this turn says; null when it says something else. `going`: some
 * of it was said just before, so that talk may follow.
 */
function partOf({ elements, folded }: Turn, lexicon: Lexicon, going: boolean): { start: number; end: number } | null {
  const parts = elements.filter((one) => isPart(one, lexicon));
  const [first, last] = [parts[0], parts.at(-1)];
  if (!first || !last) return null;
  const others = elements.filter((one) => !parts.includes(one) && !isLink(one, lexicon) && one.kind !== "sign");
  const named = parts.some((one) => monthOf(one, lexicon) || (one.kind === "digits" && isYear(one)));
  const head = elements.slice(0, elements.indexOf(first));
  if (going && !head.every((one) => one.kind === "sign" || isLink(one, lexicon))) return null;
  // "Un segundo" is a wait.
  if (!named && WAIT.test(folded)) return null;
  return others.length > (named ? 2 : going ? 3 : 0) ? null : { start: first.start, end: last.end };
}

/** A day or month, a year, a month's name. */
const isPart = (element: Element, lexicon: Lexicon) =>
  monthOf(element, lexicon) !== undefined ||
  (element.kind === "digits" && (element.text.length <= 2 || isYear(element)));

const isLink = (element: Element, { between }: Lexicon) =>
  element.kind === "letters" ? element.weak : LINK.has(element.text) || between.has(element.text);

/** How many elements a date takes with what is said behind a correction: "diez ocho, no, perdón, diez nueve". */
function corrected(elements: readonly Element[], at: number, date: number, lexicon: Lexicon): number {
  let length = date;
  let slip = false;
  for (let next = at + date; next < elements.length; next++) {
    const element = elements[next] as Element;
    if (element.kind === "word" && lexicon.corrections.has(element.text)) slip = true;
    else if (isPart(element, lexicon) && slip) length = next - at + 1;
    else if (!isLink(element, lexicon)) break;
  }
  return length;
}

/** Where the slip before a date begins, "el diez, no, el once de mayo"; the date's own place when there is none. */
function slippedBefore(elements: readonly Element[], at: number, lexicon: Lexicon): number {
  let first = at;
  let slip = false;
  for (let before = at - 1; before >= 0; before--) {
    const element = elements[before] as Element;
    if (element.kind === "word" && lexicon.corrections.has(element.text)) slip = true;
    else if (isPart(element, lexicon) && slip) first = before;
    else if (!isLink(element, lexicon)) break;
  }
  return first;
}

/** Between the parts of a date. */
const LINK = new Set([
  "de",
  "del",
  "of",
  "the",
  "el",
  "los",
  "año",
  "mes",
  "dia",
  "in",
  "and",
  "y",
  "a",
  ",",
  "/",
  "-",
  ".",
  "st",
  "nd",
  "rd",
  "th",
  "º",
  "ª",
  "°",
  "day",
  "month",
  "year",
]);

/**
 * How many elements a date takes that begins here; 0 for none. Day, month and year in any order that people use, the month
 * by name or number, the year by four digits, two, or two pairs; a year alone, as in "nací en 1982", is one too.
 */
export function dateAt(elements: readonly Element[], at: number, lexicon: Lexicon): number {
  const parts: string[] = [];
  let digits = "";
  let length = 0;
  let links = 0;
  for (let next = at; next < elements.length && parts.length < 8; next++) {
    const element = elements[next] as Element;
    const month = monthOf(element, lexicon);
    if (month) {
      if (parts.includes("M")) break;
      parts.push("M");
    } else if (element.kind === "digits") {
      if (digits.length + element.text.length > 8) break;
      const whole = isYear(element) || [6, 8].includes(element.text.length) || MONTH_YEAR.test(element.text);
      if (element.text.length > 2 && !whole) break;
      digits += element.text;
      parts.push("D");
    } else {
      const text = element.kind === "letters" ? element.text.toLowerCase() : element.text;
      const linked = LINK.has(text) || (element.kind === "letters" && element.weak) || lexicon.between.has(text);
      if (parts.length === 0 || !linked || ++links > 3) break;
      continue;
    }
    links = 0;
    length = next - at + 1;
  }
  return isDate(parts, digits) ? length : 0;
}

/** "Nueve, dos, mil novecientos noventa y siete" reads as 9 and 2997. */
export const MONTH_YEAR = /^(?:[1-9]|1[0-2])9\d\d$/u;

function isDate(parts: readonly string[], digits: string): boolean {
  if (parts.includes("M")) return digits.length >= 1;
  if (digits.length === 4) return isYearText(digits) || parts.length >= 3;
  return digits.length >= 3 && digits.length <= 8;
}

export const isYear = (element: Digits) => isYearText(element.text) || /^(?:19|20)00$/u.test(element.text);
const isYearText = (text: string) => /^(?:19|20)\d\d$/u.test(text);

export function monthOf(element: Element, { months }: Lexicon): number | undefined {
  if (element.kind === "sign" || element.kind === "digits") return undefined;
  const text = (element.kind === "letters" && element.word) || element.text.toLowerCase();
  return Object.hasOwn(months, text) ? months[text] : undefined;
}
