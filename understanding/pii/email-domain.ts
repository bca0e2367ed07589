import { ENDINGS, PROVIDERS } from "./email-hosts.ts";
import type { Lexicon } from "./language/lexicon.ts";
import type { Element, Turn } from "./spoken/elements.ts";

/** An element and the turn it is in. */
export interface Placed {
  element: Element;
  utterance: number;
}

/** At most so many words of an address without a sign between them. */
export const WORDS = 4;

/** The index of the last element of the domain behind the sign; null when there is none. */
export function domainEnd(
  all: readonly Placed[],
  at: number,
  turns: readonly Turn[],
  lexicon: Lexicon,
  spoken: boolean,
): number | null {
  let end: number | null = null;
  let dots = 0;
  let words = 0;
  let known = false;
  for (let next = at + 1; next < all.length; next++) {
    const { element, utterance } = all[next] as Placed;
    const previous = all[next - 1] as Placed;
    if (utterance > (all[at] as Placed).utterance + 4) break;
    if (element.kind === "sign") {
      if (isDot(element, turns, utterance)) {
        dots += 1;
        words = 0;
      } else if (!/^[-_,…]$/u.test(element.text) || (element.text === "," && end !== null && isEnding(all, end))) break;
      continue;
    }
    const text = element.text.toLowerCase();
    if (element.kind === "word" && lexicon.corrections.has(text) && end !== null) {
      const again = correctedDomain(all, next, lexicon);
      if (again === null) break;
      next = again - 1;
      words = 0;
      dots = 0;
      continue;
    }
    // A backchannel, or a filler, and nothing of the address.
    if (element.kind === "word" && lexicon.between.has(text) && !known && words === 0) continue;
    if (utterance !== previous.utterance && end !== null && dots > 0 && isEnding(all, end)) break;
    const joined = previous.utterance === utterance && previous.element.end === element.start;
    if (words > 0 && !joined && (dots > 0 || words >= WORDS) && element.kind !== "letters") break;
    if (
      words > 0 &&
      dots > 0 &&
      !joined &&
      !(element.kind === "letters" && element.text.length === 1 && !isEnding(all, end ?? at))
    )
      break;
    words += 1;
    if (PROVIDERS.has(text)) known = true;
    if (dots > 0 || known) end = next;
  }
  if (end === null) return null;
  const written = !spoken && dots > 0;
  return known || written || isEnding(all, end) || dots > 0
    ? known || isEnding(all, end) || written
      ? end
      : null
    : null;
}

/** Where the domain is said anew behind "no, perdón": a provider, or a word with a dot behind it; null when it is not. */
function correctedDomain(all: readonly Placed[], at: number, { corrections, between }: Lexicon): number | null {
  let next = at;
  while (next < all.length) {
    const { kind, text } = (all[next] as Placed).element;
    if (!(kind === "word" && (corrections.has(text) || between.has(text))) && !(kind === "sign" && text === ",")) break;
    next += 1;
  }
  const [first, second] = [all[next]?.element, all[next + 1]?.element];
  if (!first || all[next]?.utterance !== all[at]?.utterance) return null;
  const named = first.kind !== "sign" && PROVIDERS.has(first.text.toLowerCase());
  const dot = [first, second].some((one) => one?.kind === "sign" && one.text === "." && one.spoken);
  return named || dot ? next : null;
}

function isEnding(all: readonly Placed[], end: number): boolean {
  const element = (all[end] as Placed).element;
  return element.kind !== "sign" && ENDINGS.has(element.text.toLowerCase());
}

/** A dot within an address: said, or written with no space behind it. */
function isDot(element: Element, turns: readonly Turn[], utterance: number): boolean {
  if (element.kind !== "sign" || element.text !== ".") return false;
  return element.spoken || /^\S/u.test((turns[utterance] as Turn).text.slice(element.end));
}
