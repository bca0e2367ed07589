import type { Lexicon, Topic } from "./language/lexicon.ts";
import type { Element, Turn } from "./spoken/elements.ts";
import type { PiiType } from "./types.ts";

/** Something said that tells what a number near it is about. */
interface Cue {
  topic: Topic;
  start: number;
  end: number;
}

/** What a place in a call is about; `near` when the same turn says so. */
export interface Subject {
  topic: Topic;
  near: boolean;
  /** Only some of the digits are asked for: "los últimos cuatro". */
  part: boolean;
}

const PART =
  /(?:cuatro|tres|dos|4|3) (?:primer|ultim|siguient)[oae]s|(?:ultim|primer)[oa]s (?:cuatro|tres|dos|digitos|numeros|cifras)|(?:los|las) siguientes|el resto|(?:tres|cuatro|3|4) (?:digitos|numeros|cifras)|cvv|c ?v ?v|cvc|codigo de seguridad|last (?:four|three|few|4|3|digits)|first (?:four|three|few|4|3)|next (?:four|three|4|3|few|set)|the rest|remaining|(?:three|four|3|4)[ -]digits?|security code/u;

/** Right before the end of a number that is known: "la cuenta acabada en". A card may be named by its end. */
const ENDING =
  /(?<!\p{L})(?:(?:(?:acabad|terminad)[oa]|(?:que |se )?(?:acaba|termina|finaliza)) (?:en|con)(?: el| los)?|(?:ending|ends)(?: in| with)?)\s*$/u;

/** With fewer digits than these a value has only begun. */
const WHOLE: Partial<Record<PiiType, number>> = {
  BANK_ACCOUNT: 8,
  CARD: 12,
  PHONE: 7,
  NATIONAL_ID: 6,
  PASSPORT: 5,
  LICENSE_PLATE: 3,
  DATE_OF_BIRTH: 3,
};

/** Digits of a value, where a turn says it again rather than asks for it. */
const MANY = 3;

/** A question is answered within so many turns. */
const TURNS = 6;

/** Something is said of it: "la contraseña es luna". */
const VALUE = /^(?:\s+[\p{L}'’]+){0,4}?\s+(?:es|era|is|was|shows|says|as)(?:\s+[\p{L}'’]+){1,3}|^\s*:\s*\S/u;

/** So few words and signs that they can only be a question: "Matrícula, por favor." */
const SHORT = 9;

/** A wish or a question, also where recognition left the question mark out. */
const ASKS = new RegExp(
  "(?<![\\p{L}])(?:di(?:ga|me|game)|digame|indi\\p{L}+|facilit\\p{L}+|neces\\p{L}+|hace(?:n)? falta|dict\\p{L}+|l[ée]a\\p{L}*|deletre\\p{L}+|confirm\\p{L}+|propor\\p{L}+|por favor|regal[ae]\\p{L}*|pas[ae]me|dele|dame|deme|pido|tiene|que|cual|como|donde|cuando|cuando quiera|" +
    "give|tell|need|provide|read|spell|take|have|can|could|may|what|which|where|when|who|go ahead|please|verify|do you)(?![\\p{L}])",
  "u",
);

/** The value is asked for once more. */
const AGAIN =
  /(?:^|[.,¿]\s*)(?:y |and )?(?:(?:de )?que|el|cual|what|the|which) (?:dia|mes|año|day|month|year)(?![\p{L}])|month and day|day and month|repet|repit|otra vez|de nuevo|again|repeat|once more|no le (?:he|oi|entend)|didn't (?:catch|get)|sorry\?|perdon\?|como\?|pardon/u;

/** What follows a value may name it: "… es mi DNI". */
const AFTER =
  /^[\s,.?¿!]*(?:(?:here|aqui|ahi|y|and|si|yes|no|verdad|right|okay|vale)[\s,.?¿]+){0,2}(?:(?:es|son|ese es|that's|is|that is|it's|esa es|seria|sigue siendo|que es|que son|which is|is (?:that|this|it)(?: still)?|con (?:ese|esa|este|esta)|with that|under that) (?:el|la|mi|su|my|the|your|nuestro|tu)?|es de mi|(?:como|as) (?:my|mi|the|el|la|your|su|tu)?)\s*(?:numero (?:del?|de (?:mi|la|el|su)) )?$/u;

/** "2 February 1949, your date of birth?": named behind the value, with no verb, and nothing else said of it. */
const APPOSED = /^\s*,\s*(?:your|my|the|su|mi|tu|la|el)\s+$/u;
const CLOSED = /^\s*(?:$|[?.,]|(?:right|correct|yes|verdad|correcto|no)(?![\p{L}]))/u;

/** A turn that begins with what it asks for: "what username shows", "¿con qué usuario entra?". */
const QUESTION =
  /(?:^|[.,?!¿]\s*)(?:(?:y|pues|entonces|bueno|vale|and|so|ok|okay|well|right)[\s,]+)?(?:con |a |en |de |by |with |under )?(?:que|cual|what|which)(?![\p{L}])[^.?!]*$/u;

/** "el teléfono del pedido": the first of the two is what is asked for. */
const OF =
  /^(?:\s+\p{L}+)?\s+(?:del?|de (?:la|su)|(?:figura|consta|aparece|sale|viene|pone) en|para|asociad[oa]|vinculad[oa]|of|for|on|with|to|from)(?:\s+\p{L}+){0,2}\s+$/u;

/** "La tarjeta con la que pagó", "the account we're paying into": what is named first is asked for. */
const RELATIVE =
  /^(?:\s+(?!(?:y|and|o|or|pero|but)(?!\p{L}))[\p{L}'’]+)?\s+(?:(?:con|en|a|de|por|para) (?:la|el|los|las) que|con (?:la|el)|(?:donde|que|which|that|where|you|you're|we|we're|i|i'm|i've|they|to|into|from|with|for)(?!\p{L}))(?:\s+[\p{L}'’]+){0,4}\s+$/u;

/** Between "factura" and "número". */
const NEARBY = 24;

/** Two things that are asked for at once. */
const BOTH = /^\s+(?:y|and)(?:\s+(?:la|el|su|the|fecha de|date of))*\s+$/u;

const isNamed = (topic: Topic) => !isVague(topic) && topic !== "HARMLESS" && topic !== "VEHICLE";
const isVague = (topic: Topic) => topic === "ANY" || topic === "NUMBER";

/** The subjects at a place, the first the likeliest. */
export class Context {
  readonly #turns: readonly Turn[];
  readonly #cues: Cue[][];
  readonly #closed = new Set<number>();
  readonly #months: Lexicon["months"];

  constructor(turns: readonly Turn[], lexicon: Lexicon) {
    this.#months = lexicon.months;
    this.#turns = turns;
    this.#cues = turns.map(({ folded }) => cuesIn(folded, lexicon));
  }

  /** `sure`: where the first that is no plain word begins. */
  at(utterance: number, start: number, until: { utterance: number; end: number }, sure?: { start: number }): Subject[] {
    const subjects = this.#said(utterance, start, until, sure?.start ?? start);
    // "El mío es…", "number…" says less than the question that it answers.
    const vague = subjects[0]?.near && isVague(subjects[0].topic);
    return vague && subjects[1] && isNamed(subjects[1].topic)
      ? [...subjects.slice(1), subjects[0] as Subject]
      : subjects;
  }

  #said(utterance: number, start: number, until: { utterance: number; end: number }, sure: number): Subject[] {
    const subjects: Subject[] = [];
    const before = this.#last(utterance, start);
    const { folded } = this.#turns[utterance] as Turn;
    const ending = before !== "CARD" && ENDING.test(folded.slice(0, sure));
    if (before) subjects.push({ topic: before, near: true, part: PART.test(folded) || ending });
    const after = this.#after(until.utterance, until.end);
    if (after) subjects.unshift({ topic: after, near: true, part: PART.test(folded) });
    const apposed = before ? null : this.#apposed(until.utterance, until.end);
    if (apposed) subjects.push({ topic: apposed, near: true, part: PART.test(folded) });
    const asked = this.asked(utterance);
    if (asked) subjects.push({ topic: asked.topic, near: false, part: asked.part });
    return subjects;
  }

  /** Says that a turn's value was found: neither it nor the turn that asked for it asks for more. */
  close(utterance: number): void {
    const asked = this.asked(utterance);
    if (asked) this.#closed.add(utterance - asked.turns);
    this.#closed.add(utterance);
  }

  /** Whether a turn names anything at all. */
  names(utterance: number): boolean {
    return (this.#cues[utterance] as Cue[]).length > 0;
  }

  /** Whether something is named between two places of a turn. */
  hasCue(utterance: number, from: number, to: number): boolean {
    return (this.#cues[utterance] as Cue[]).some(({ start, end }) => start >= from && end <= to);
  }

  /** What an earlier turn left open: named, with no value behind it, and not answered since. */
  asked(utterance: number): { topic: Topic; turns: number; part: boolean } | null {
    let again = false;
    let part = false;
    let most = 0;
    for (let turn = utterance - 1; turn >= Math.max(0, utterance - (again ? 2 * TURNS : TURNS)); turn--) {
      const { folded, elements } = this.#turns[turn] as Turn;
      const topic = this.#last(turn, Number.POSITIVE_INFINITY);
      const said = elements.reduce((sum, { kind, text }) => sum + (kind === "digits" ? text.length : 0), 0);
      // "Next four five three" is a value, "the next four" asks for one.
      part ||= said < 4 && PART.test(folded);
      again ||= part;
      if ((topic === "USERNAME" || topic === "PASSWORD") && most > 1 && !again) return null;
      if (topic !== null)
        return this.#isOpen(turn, topic, most < MANY && this.#dictates(utterance)) ||
          again ||
          this.#isDenied(turn, utterance)
          ? { topic, turns: utterance - turn, part }
          : null;
      most = Math.max(most, said);
      // "Le repito, seis uno dos…" asks for nothing.
      again ||= said < MANY && AGAIN.test(folded);
      if (said > 3 && !again) return null;
    }
    return null;
  }

  /** A turn that says digits and letters, and no more talk than goes with them. */
  #dictates(utterance: number): boolean {
    const { elements } = this.#turns[utterance] as Turn;
    const said = elements.filter(({ kind }) => kind !== "sign");
    const isMonth = ({ text }: Element) => Object.hasOwn(this.#months, text.toLowerCase());
    const value = said.filter(
      (one) => one.kind === "digits" || (one.kind === "letters" && !one.weak) || (one.kind === "word" && isMonth(one)),
    );
    const signs = value.reduce((sum, { text }) => sum + text.length, 0);
    return value.length > 0 && (value.length * 2 >= said.length || (signs > 3 && said.length <= 2 * SHORT));
  }

  /** "The account ending 6819, is it right?" "No, it's …": a value was asked about, and there is another. */
  #isDenied(turn: number, utterance: number): boolean {
    const [asks, says] = [this.#turns[turn] as Turn, this.#turns[utterance] as Turn];
    return turn === utterance - 1 && /\?\s*$/u.test(asks.folded) && /^\s*no(?![\p{L}])/u.test(says.folded);
  }

  /** Whether a turn's last cue waits for its value; `answered`: whoever speaks next begins with one. */
  #isOpen(turn: number, about: Topic, answered: boolean): boolean {
    if (this.#closed.has(turn)) return false;
    const { folded, elements } = this.#turns[turn] as Turn;
    const end = (this.#cues[turn] as Cue[]).at(-1)?.end ?? 0;
    const rest = folded.slice(end);
    const digits = elements
      .filter(({ kind, start }) => kind === "digits" && start >= end)
      .reduce((sum, { text }) => sum + text.length, 0);
    const whole = WHOLE[(this.#cues[turn] as Cue[]).at(-1)?.topic as PiiType] ?? 0;
    // "En la cuenta ES dieciséis", and the rest in later turns.
    if (digits > 0 && digits < whole && elements.at(-1)?.kind === "digits") return true;
    if (digits > 3) return false;
    if (rest.includes("?")) return true;
    const asks = QUESTION.test(folded.slice(0, end));
    return (
      digits < 2 &&
      (asks || !VALUE.test(rest) || (answered && digits === 0 && WHOLE[about as PiiType] !== undefined)) &&
      (answered || ASKS.test(folded) || !/[\p{L}]/u.test(rest) || elements.length <= SHORT)
    );
  }

  /** The cue nearest before a place of a turn. */
  #last(turn: number, start: number): Topic | null {
    const cues = (this.#cues[turn] as Cue[]).filter(({ end }) => end <= start);
    const { folded } = this.#turns[turn] as Turn;
    let head = cues.length - 1;
    // "La factura, número…", "¿tarjeta y caducidad?": the first of the two tells.
    const joined = () => folded.slice((cues[head - 1] as Cue).end, (cues[head] as Cue).start);
    while (head > 0 && tellsOf(cues[head - 1] as Cue, cues[head] as Cue, joined())) head -= 1;
    while (
      head > 0 &&
      (cues[head - 1] as Cue).topic !== "NUMBER" &&
      (OF.test(folded.slice((cues[head - 1] as Cue).end, (cues[head] as Cue).start)) ||
        (isNamed((cues[head - 1] as Cue).topic) && RELATIVE.test(joined())))
    )
      head -= 1;
    return cues[head]?.topic ?? null;
  }

  #after(turn: number, end: number): Topic | null {
    const folded = (this.#turns[turn] as Turn).folded;
    const [cue, next] = (this.#cues[turn] as Cue[]).filter(({ start }) => start >= end);
    if (!cue || !AFTER.test(folded.slice(end, cue.start))) return null;
    // "Is that the number on the passport?"
    const more = next && isVague(cue.topic) && /^(?:\s+[\p{L}'’]+){1,3}\s+$/u.test(folded.slice(cue.end, next.start));
    return more ? next.topic : cue.topic;
  }

  #apposed(turn: number, end: number): Topic | null {
    const folded = (this.#turns[turn] as Turn).folded;
    const cue = (this.#cues[turn] as Cue[]).find(({ start }) => start >= end);
    return cue && APPOSED.test(folded.slice(end, cue.start)) && CLOSED.test(folded.slice(cue.end)) ? cue.topic : null;
  }
}

/** Whether what is named before says what a number is that is then called "number", or is asked for together with a date. */
function tellsOf(before: Cue, cue: Cue, joined: string): boolean {
  if (cue.topic === "HARMLESS") return before.topic !== "HARMLESS" && BOTH.test(joined);
  if (cue.topic !== "NUMBER") return false;
  if (isNamed(before.topic)) return true;
  return joined.length <= NEARBY && !/[.?!¿;]|(?:mi|tu|su|my|your|his|her)\s*$/u.test(joined);
}

/** In the order of the text; the longer of two that overlap. */
function cuesIn(folded: string, { cues }: Lexicon): Cue[] {
  const found = cues.flatMap(({ topic, words }) =>
    [...folded.matchAll(words)].map(({ index: start, 0: said }) => ({ topic, start, end: start + said.length })),
  );
  return found
    .filter(
      (one) =>
        !found.some((other) => other !== one && other.start <= one.start && other.end >= one.end && tells(other, one)),
    )
    .sort((a, b) => a.start - b.start);
}

const lengthOf = ({ start, end }: Cue) => end - start;

/** The longer of two, or of equals the one that says which number it is. */
const tells = (a: Cue, b: Cue) => lengthOf(a) > lengthOf(b) || (isVague(b.topic) && !isVague(a.topic));
