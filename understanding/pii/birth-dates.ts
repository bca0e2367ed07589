import type { Call } from "../types.ts";
import type { Context } from "./context.ts";
import type { Lexicon } from "./language/lexicon.ts";
import type { Digits, Element, Turn } from "./spoken/elements.ts";
import type { Entity } from "./types.ts";

/** Dates, where somebody's birth is spoken of. */
export function findBirthDates(_: Call, turns: readonly Turn[], context: Context, lexicon: Lexicon): Entity[] {
  return turns.flatMap((turn, utterance) => {
    const found: Entity[] = [];
    for (let at = 0; at < turn.elements.length; at++) {
      const length = dateAt(turn.elements, at, lexicon);
      if (length === 0) continue;
      const { start } = turn.elements[at] as Element;
      const { end } = turn.elements[at + length - 1] as Element;
      const [subject] = context.at(utterance, start, { utterance, end });
      if (subject?.topic === "DATE_OF_BIRTH") {
        context.close(utterance);
        found.push({ type: "DATE_OF_BIRTH", utterance, start, end, confidence: 0.95, source: "rule" });
      }
      at += length - 1;
    }
    return found;
  });
}

/** Between the parts of a date. */
const LINK = new Set([
  "de",
  "del",
  "of",
  "the",
  "el",
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
      if (element.text.length > 2 && !isYear(element) && element.text.length !== 8 && element.text.length !== 6) break;
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

function isDate(parts: readonly string[], digits: string): boolean {
  if (parts.includes("M")) return digits.length >= 1;
  if (digits.length === 4) return isYearText(digits) || parts.length >= 3;
  return digits.length >= 3 && digits.length <= 8;
}

const isYear = (element: Digits) => isYearText(element.text) || /^(?:19|20)00$/u.test(element.text);
const isYearText = (text: string) => /^(?:19|20)\d\d$/u.test(text);

function monthOf(element: Element, { months }: Lexicon): number | undefined {
  if (element.kind === "sign" || element.kind === "digits") return undefined;
  const text = element.text.toLowerCase();
  return Object.hasOwn(months, text) ? months[text] : undefined;
}
