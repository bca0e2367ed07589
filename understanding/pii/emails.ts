import type { Call } from "../types.ts";
import type { Context } from "./context.ts";
import { domainEnd, type Placed, WORDS } from "./email-domain.ts";
import type { Lexicon } from "./language/lexicon.ts";
import { pieces } from "./numbers.ts";
import type { Element, Turn } from "./spoken/elements.ts";
import type { Entity } from "./types.ts";

/** Written or spoken: "maria punto garcía arroba gmail punto com", over turns too. */
export function findEmails(call: Call, turns: readonly Turn[], context: Context, lexicon: Lexicon): Entity[] {
  const all: Placed[] = turns.flatMap(({ elements }, utterance) => elements.map((element) => ({ element, utterance })));
  return all.flatMap(({ element }, at) => {
    if (element.kind !== "sign" || element.text !== "@") return [];
    const to = domainEnd(all, at, turns, lexicon, element.spoken);
    if (to === null) return [];
    const begin = localStart(all, at, { turns, call, context, lexicon });
    if (begin === at) return [];
    const from = slippedStart(all, begin, turns, lexicon);
    const whole = all.slice(from, to + 1);
    const place = whole.filter(
      ({ utterance }) => isOwn(all, at, utterance, call) || isEcho(whole, at - from, utterance),
    );
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

/** So much of it is what was said. */
const ECHO = 0.7;

/** The share of a text's pairs of signs that another has too. */
function common(text: string, whole: string): number {
  const pairs = [...text].slice(1).map((_, at) => text.slice(at, at + 2));
  return pairs.filter((pair) => whole.includes(pair)).length / Math.max(1, pairs.length);
}

/** What who listens wrote down of an address and says again: most of its words are the other's. */
function isEcho(whole: readonly Placed[], at: number, utterance: number): boolean {
  const signs = (isOwn: (turn: number) => boolean) =>
    whole
      .filter((one) => isOwn(one.utterance) && one.element.kind !== "sign")
      .map(({ element }) => element.text.toLowerCase())
      .join("");
  const [own, said] = [signs((turn) => turn !== utterance), signs((turn) => turn === utterance)];
  return utterance !== whole[at]?.utterance && said !== "" && common(said, own) >= ECHO;
}

/** The index of the first element of what is before the sign. */
function localStart(
  all: readonly Placed[],
  at: number,
  { turns, call, context, lexicon }: { turns: readonly Turn[]; call: Call; context: Context; lexicon: Lexicon },
): number {
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
      // What the other side says in between: "ajá", "hasta ahí bien", or what it wrote down.
      if (context.names(utterance)) break;
      if (element.kind === "word" && !lexicon.between.has(element.text) && !isAside(turns, utterance)) break;
      continue;
    }
    const following = all[first] as Placed;
    const touching = utterance === following.utterance && element.end === following.element.start;
    if (element.kind === "sign") {
      if (/^[._+-]$/u.test(element.text) && (element.spoken || touching || element.text === "_")) {
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
    if (utterance !== following.utterance && !signed && element.kind !== "letters") break;
    const chained = element.kind === "letters" && isChained(all, next);
    const spelled = chained || (following.element.kind !== "word" && element.end - element.start === 1);
    const inner = (turns[utterance] as Turn).folded.slice(element.start, element.end);
    if (INNER.has(inner) && first !== at && isInner(all, next, turns)) {
      first = next;
      continue;
    }
    if (element.kind === "digits" || (element.kind === "letters" && (!element.weak || signed || spelled))) {
      first = next;
      signed = false;
      continue;
    }
    const text =
      element.kind === "word" ? element.text : (turns[utterance] as Turn).folded.slice(element.start, element.end);
    if (STOPS.has(text)) break;
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

function isInner(all: readonly Placed[], at: number, turns: readonly Turn[]): boolean {
  const { utterance } = all[at] as Placed;
  for (let next = at - 1; all[next]?.utterance === utterance; next--) {
    const { element } = all[next] as Placed;
    const word = (turns[utterance] as Turn).folded.slice(element.start, element.end);
    if (INNER.has(word)) continue;
    if (element.kind === "sign") return element.spoken || /^[._-]$/u.test(element.text);
    return element.kind !== "word" || ANNOUNCES.has(word) || !STOPS.has(word);
  }
  return true;
}

/** Letters of which three follow each other are spelled, weak ones too. */
function isChained(all: readonly Placed[], at: number): boolean {
  const { utterance } = all[at] as Placed;
  const isLetter = (place: number) => all[place]?.utterance === utterance && all[place]?.element.kind === "letters";
  let [from, to] = [at, at];
  while (isLetter(from - 1)) from -= 1;
  while (isLetter(to + 1)) to += 1;
  return to - from + 1 >= SPELLED;
}

/** At most so many words does who listens say while an address goes on. */
const ASIDE = 7;

function isAside(turns: readonly Turn[], utterance: number): boolean {
  const words = (turns[utterance] as Turn).elements.filter(({ kind }) => kind !== "sign");
  const own = turns[utterance - 1]?.elements.map(({ text }) => text) ?? [];
  return words.length <= ASIDE || words.filter(({ text }) => own.includes(text)).length * 2 > words.length;
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
