import type { Call } from "../types.ts";
import type { Context } from "./context.ts";
import type { Lexicon } from "./language/lexicon.ts";
import { isMeasured } from "./runs.ts";
import type { Element, Turn } from "./spoken/elements.ts";
import type { Entity, PiiType } from "./types.ts";

const NUMBERS: readonly PiiType[] = ["PHONE", "NATIONAL_ID", "BANK_ACCOUNT", "CARD", "PASSPORT", "LICENSE_PLATE"];

/** So far away is a turn of which a value goes on. */
const TURNS = 2;
/** At most so many words of talk in a turn that only dictates. */
const TALK = 3;

/**
 * What else is said of a value that is dictated over turns: "siete", "ajá", "dos tres". A turn that dictates and does nothing
 * else, beside one in which a value reaches the end (or from which it begins), is more of it, however little it says.
 */
export function findRest(
  { utterances }: Call,
  found: readonly Entity[],
  turns: readonly Turn[],
  context: Context,
  lexicon: Lexicon,
): Entity[] {
  const types = turns.map((_, utterance) => typeAt(found, utterance));
  const own = turns.map((turn, utterance) => (context.names(utterance) ? null : dictated(turn, lexicon)));
  const speakers = utterances.map(({ speaker }) => speaker);
  const rest: Entity[] = [];
  const take = (utterance: number, step: 1 | -1) => {
    const place = own[utterance];
    if (types[utterance] || !place || (step === 1 ? place.head : place.tail)) return;
    for (let near = utterance - step; Math.abs(near - utterance) <= TURNS; near -= step) {
      const type = types[near];
      // Who only listens says what was said, or nothing of it.
      if (type && speakers[near] !== speakers[utterance] && types[utterance + step] !== type) continue;
      if (type) {
        if (!reaches(turns[near] as Turn, lexicon, step)) return;
        types[utterance] = type;
        const { start, end } = place;
        rest.push({ type, utterance, start, end, confidence: 0.5, source: "rule" });
        return;
      }
      if (near < 0 || near >= turns.length || own[near] || context.names(near)) return;
    }
  };
  for (let utterance = 0; utterance < turns.length; utterance++) take(utterance, 1);
  for (let utterance = turns.length - 1; utterance >= 0; utterance--) take(utterance, -1);
  return rest;
}

const typeAt = (found: readonly Entity[], utterance: number): PiiType | undefined =>
  found.find((entity) => entity.utterance === utterance && NUMBERS.includes(entity.type))?.type;

const isAtom = (one: Element) => one.kind === "digits" || one.kind === "letters";

interface Dictated {
  start: number;
  end: number;
  /** Talk stands before it: "vale, pues apunte"; behind it: "y ya está". */
  head: boolean;
  tail: boolean;
}

/** From the first digits or letters of a turn that dictates to the last; null for any other turn. */
function dictated(turn: Turn, lexicon: Lexicon): Dictated | null {
  const { elements, folded } = turn;
  const isOwn = (one: Element) => isAtom(one) && !isLink(one, lexicon);
  const [from, to] = [elements.findIndex(isOwn), elements.findLastIndex(isOwn)];
  const [first, last] = [elements[from], elements[to]];
  if (!first || !last || OPENS.has(elements[0]?.text ?? "")) return null;
  const atoms = elements.slice(from, to + 1).filter(isOwn);
  // "Compré ocho y devolví dos" dictates nothing, "ocho dos, y ya está" does.
  const talk = (some: readonly Element[]) =>
    some.filter(({ kind, text }) => kind === "word" && !isIdle(text, lexicon)).length;
  const [head, tail] = [talk(elements.slice(0, from)), talk(elements.slice(to + 1))];
  if (talk(elements.slice(from, to)) > 0 || head > TALK || tail > TALK) return null;
  const isSure = atoms.some((one) => one.kind === "digits" || (one.kind === "letters" && !one.weak));
  if (!isSure && elements.some(({ kind }) => kind === "word")) return null;
  if (lexicon.before.test(folded.slice(0, first.start)) || atoms.some((one) => isMeasured(turn, one, lexicon)))
    return null;
  if (elements.some(({ text }) => Object.hasOwn(lexicon.months, text.toLowerCase()))) return null;
  return { start: first.start, end: last.end, head: head > 0, tail: tail > 0 };
}

/** They begin a sentence of its own: "en 2016, creo". */
const OPENS = new Set(["en", "in", "son", "hay", "a", "at", "las"]);

const isIdle = (text: string, { between, corrections }: Lexicon) => between.has(text) || corrections.has(text);

/** "Y", "a" at a turn's edge, plain words rather than letters. */
const isLink = (one: Element, { between }: Lexicon) =>
  one.kind === "letters" && one.weak && (between.has(one.text.toLowerCase()) || one.end - one.start > 3);

/** Whether nothing but fillers stands between a turn's digits and its end (its beginning). */
function reaches({ elements }: Turn, lexicon: Lexicon, step: 1 | -1): boolean {
  const order = step === 1 ? elements.toReversed() : elements;
  const at = order.findIndex(isAtom);
  const before = order.slice(0, Math.max(0, at)).filter(({ kind, text }) => kind === "word" && !isIdle(text, lexicon));
  return at >= 0 && before.length <= (step === 1 ? TALK : 2 * TALK);
}
