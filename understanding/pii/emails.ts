import type { Call } from "../types.ts";
import type { Context } from "./context.ts";
import { ENDINGS, PROVIDERS } from "./email-hosts.ts";
import type { Lexicon } from "./language/lexicon.ts";
import { pieces } from "./numbers.ts";
import type { Element, Turn } from "./spoken/elements.ts";
import type { Entity } from "./types.ts";

/** An element and the turn it is in. */
interface Placed {
  element: Element;
  utterance: number;
}

/** At most so many words of a local part without a sign between them. */
const WORDS = 4;

/** Written or spoken: "maria punto garcía arroba gmail punto com", over turns too. */
export function findEmails(call: Call, turns: readonly Turn[], _: Context, lexicon: Lexicon): Entity[] {
  const all: Placed[] = turns.flatMap(({ elements }, utterance) => elements.map((element) => ({ element, utterance })));
  return all.flatMap(({ element }, at) => {
    if (element.kind !== "sign" || element.text !== "@") return [];
    const to = domainEnd(all, at, turns, lexicon, element.spoken);
    if (to === null) return [];
    const begin = localStart(all, at, turns, call, lexicon);
    if (begin === at) return [];
    const from = slippedStart(all, begin, turns, lexicon);
    const place = all.slice(from, to + 1).filter(({ utterance }) => isOwn(all, at, utterance, call));
    return pieces(
      place.map(({ element: { start, end }, utterance }) => ({ utterance, start, end })),
      { type: "EMAIL", confidence: element.spoken ? 0.9 : 0.97 },
    );
  });

  function isOwn(list: readonly Placed[], at: number, utterance: number, { utterances }: Call): boolean {
    const own = (list[at] as Placed).utterance;
    return utterances[utterance]?.speaker === utterances[own]?.speaker;
  }
}

/** The index of the last element of the domain behind the sign; null when there is none. */
function domainEnd(
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

/** The index of the first element of what is before the sign. */
function localStart(all: readonly Placed[], at: number, turns: readonly Turn[], call: Call, lexicon: Lexicon): number {
  const anchor = all[at] as Placed;
  const speaker = call.utterances[anchor.utterance]?.speaker;
  let first = at;
  let words = 0;
  let signed = true;
  // Without a list of what is said before an address, only what is written in one with it is taken.
  const most = Object.keys(lexicon.signs).length > 0 ? WORDS : 1;
  for (let next = at - 1; next >= 0; next--) {
    const { element, utterance } = all[next] as Placed;
    if (anchor.utterance - utterance > 6) break;
    if (call.utterances[utterance]?.speaker !== speaker) {
      // What the other side says in between: "ajá".
      if (element.kind === "word" && !lexicon.between.has(element.text)) break;
      continue;
    }
    const following = all[first] as Placed;
    const touching = utterance === following.utterance && element.end === following.element.start;
    if (element.kind === "sign") {
      if (/^[._+-]$/u.test(element.text) && (element.spoken || touching)) {
        first = next;
        signed = true;
        words = 0;
        continue;
      }
      if (
        /^[,;…'-]$/u.test(element.text) ||
        (element.text === "." && first !== at && following.element.kind !== "word")
      )
        continue;
      break;
    }
    if (touching) {
      first = next;
      words += 1;
      signed = false;
      continue;
    }
    const spelled = following.element.kind !== "word" && element.end - element.start === 1;
    if (element.kind === "digits" || (element.kind === "letters" && (!element.weak || signed || spelled))) {
      first = next;
      signed = false;
      continue;
    }
    const text =
      element.kind === "word" ? element.text : (turns[utterance] as Turn).folded.slice(element.start, element.end);
    if (STOPS.has(text) && !isInner(all, next, turns, element, text)) break;
    if (lexicon.between.has(text)) {
      // A filler within an address is stepped over when more of it comes before.
      if (!signed) continue;
      continue;
    }
    if (!signed && words >= most) break;
    if (!signed && utterance !== following.utterance) break;
    first = next;
    words += 1;
    signed = false;
  }
  return spelledBefore(all, first);
}

/** Small words within a name, "la casita del bosque": between two of its words, or right behind what announces it. */
const INNER = new Set(["el", "la", "los", "las", "del", "de", "the", "of", "mi", "my"]);
const ANNOUNCES = new Set(["es", "is", "it's", "sera", "seria"]);

function isInner(all: readonly Placed[], at: number, turns: readonly Turn[], element: Element, text: string): boolean {
  const before = all[at - 1];
  if (!INNER.has(text) || before?.utterance !== all[at]?.utterance || before?.element.end === element.start)
    return false;
  const { start, end } = (before as Placed).element;
  const word = (turns[(before as Placed).utterance] as Turn).folded.slice(start, end);
  return ANNOUNCES.has(word) || ((before as Placed).element.kind === "word" && !STOPS.has(word));
}

/** Letters that spell the word after them, "ese e erre ge i o, sergio", are the word; else the given place. */
function spelledBefore(all: readonly Placed[], first: number): number {
  const { element, utterance } = all[first] as Placed;
  if (element.kind !== "word") return first;
  let spelled = "";
  for (let next = first - 1; next >= 0; next--) {
    const { element: before, utterance: turn } = all[next] as Placed;
    if (turn !== utterance || (before.kind !== "letters" && before.text !== ",")) break;
    if (before.kind === "letters") spelled = before.text.toLowerCase() + spelled;
    if (spelled.length >= SPELLED && element.text.startsWith(spelled)) return next;
  }
  return first;
}

/** So many letters spell a word. */
const SPELLED = 3;

/** Where an address that a correction took back begins: "nacho, no, perdón, nachete arroba …"; else the given place. */
function slippedStart(all: readonly Placed[], from: number, turns: readonly Turn[], lexicon: Lexicon): number {
  const { utterance } = all[from] as Placed;
  const said = ({ start, end }: Element) => (turns[utterance] as Turn).folded.slice(start, end);
  // "Perdón" may have been taken for the address's first word.
  const head = said((all[from] as Placed).element);
  let next = from - 1;
  const slips = lexicon.corrections.has(head) ? [head] : [];
  for (; all[next]?.utterance === utterance; next--) {
    const text = said((all[next] as Placed).element);
    if (lexicon.corrections.has(text)) slips.push(text);
    else if (text !== "," && !lexicon.between.has(text)) break;
  }
  if (!slips.some((text) => text !== "no")) return from;
  let first = from;
  for (let words = 0; all[next]?.utterance === utterance && words < 2 * WORDS; next--, words++) {
    const { element } = all[next] as Placed;
    if (STOPS.has(said(element)) || (element.kind === "sign" && /^[,.;:?!¿¡]$/u.test(said(element)))) break;
    first = next;
  }
  return first;
}

/** Words that end an address to the left: "mi correo es", "send it to". */
const STOPS = new Set(
  `es son era seria sera correo email mail e-mail electronico direccion a al esta este siguiente mi su tu el la los las que de del para por en con tengo tenia apunte apunta anote envielo mandelo mandemelo envienmelo
   envieme mandeme escriba escribame enviame puede podria cuenta pone dice consta aparece sale llama quiero le lo me y ahi aqui va seria actual nuevo personal trabajo empresa mio marido mujer
   is was are my the address it's its that's that to at under it use using i've i have got on file reach me you can send please would be name called for of email's husband's wife's try so then say
   says reads spelled spell yes no correct confirm your his her their our and registered new old personal work one as`.split(
    /\s+/u,
  ),
);
