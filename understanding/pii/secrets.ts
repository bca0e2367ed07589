import type { Call } from "../types.ts";
import type { Context } from "./context.ts";
import type { Lexicon } from "./language/lexicon.ts";
import type { Element, Turn } from "./spoken/elements.ts";
import type { Entity, PiiType } from "./types.ts";

/** At most so many elements make a user name or a password. */
const MOST = 40;

/** User names and passwords: whatever is said where one is asked for or announced. */
export function findSecrets(call: Call, turns: readonly Turn[], context: Context, lexicon: Lexicon): Entity[] {
  let last: Entity | undefined;
  return turns.flatMap((turn, utterance) => {
    const found = announced(turn, utterance, lexicon);
    const secrets = found.length > 0 ? found : answered(call, turns, utterance, context, lexicon);
    if (secrets.length > 0) context.close(utterance);
    else if (last && !context.names(utterance) && speakerOf(call, last.utterance) === speakerOf(call, utterance))
      secrets.push(...goingOn(turns, utterance, last, lexicon));
    last = secrets.at(-1) ?? last;
    return secrets;
  });
}

const speakerOf = ({ utterances }: Call, turn: number) => utterances[turn]?.speaker;

/** Within so many turns a value goes on: "zeta eme erre", "ajá", "cuatro cuatro". */
const TURNS = 2;

/** A turn of nothing but digits, letters and signs, behind one that gave a value and another that only said "go on". */
function goingOn(turns: readonly Turn[], utterance: number, last: Entity, lexicon: Lexicon): Entity[] {
  const { elements } = turns[utterance] as Turn;
  const idle = (one: Element) => isPreamble(one, lexicon) || (one.kind === "word" && JOIN.has(one.text));
  const waiting = turns.slice(last.utterance + 1, utterance);
  if (utterance - last.utterance > TURNS || !waiting.every((turn) => turn.elements.every(idle))) return [];
  const own = elements.filter((one) => !idle(one) && (one.kind !== "sign" || one.spoken));
  const [first, end] = [own[0], own.at(-1)];
  if (!first || !end || own.some(({ kind }) => kind === "word") || !own.some(isSure)) return [];
  return [{ type: last.type, utterance, start: first.start, end: end.end, confidence: 0.6, source: "rule" }];
}

const isSure = (element: Element) => element.kind === "digits" || (element.kind === "letters" && !element.weak);

const TOPICS: PiiType[] = ["USERNAME", "PASSWORD"];

/** A sentence that asks, up to where it names what it asks for. */
const ASKING =
  /(?:¿[^?]*|(?:^|[.?!]\s*)(?:(?:y|pues|entonces|vale|and|so|okay|ok|perfecto|bien),?\s+)?(?:con |en |de )?(?:que|cual|como|recuerda|sabe|tiene|what|which|how|do|does|did|can|could|would|may|is|are)(?![\p{L}])[^.?!]*)$/u;

/** "mi contraseña es …", "I log in as …", "user name: …". */
function announced(turn: Turn, utterance: number, lexicon: Lexicon): Entity[] {
  return TOPICS.flatMap((type) => {
    const words = lexicon.cues.find(({ topic }) => topic === type)?.words;
    if (!words) return [];
    return [...turn.folded.matchAll(words)].flatMap(({ index, 0: cue }) => {
      if (ASKING.test(turn.folded.slice(0, index))) return [];
      const rest = turn.folded.slice(index + cue.length);
      const used =
        /(?<![\p{L}])(?:con|de|como|with|under|as)(?: (?:el|mi|su|the|my|a))?(?: (?:nombre de|user))?\s*$/u.test(
          turn.folded.slice(0, index),
        ) || / as$/u.test(cue);
      if (
        used &&
        /^\s+(?!(?:y|que|de|del|no|nuevo|actual|correct|equivocad|anterior|bloquead|and|that|name|is|was|i|you|from|but)(?![\p{L}]))[\p{L}\d._-]{4,}/u.test(
          rest,
        )
      )
        return valueFrom(turn, utterance, index + cue.length, type, lexicon);
      const blocked = type === "USERNAME" && BLOCKED.exec(rest)?.groups;
      if (blocked && !PLAIN.test(blocked.name as string)) {
        const start = index + cue.length + rest.indexOf(blocked.name as string);
        const end = start + (blocked.name as string).length;
        return [{ type, utterance, start, end, confidence: 0.6, source: "rule" }];
      }
      if (isDirect(turn, index + cue.length, lexicon))
        return valueFrom(turn, utterance, index + cue.length, type, lexicon);
      const link =
        /^(?:'s)?(?:,?\s+[\p{L}'’]+){0,7}?,?\s*(?::|(?<![\p{L}])(?:es|era|is|was|sale|aparece|shows?|says|dice|pone|as|seria)(?:\s+(?:el|la|esta|este|the|siguiente|this))?\s*[:,]?)\s+|^\s*[:,]?\s+(?=\S*\d)|^\s+(?:to|a|por)\s+(?=\S*\d)|^\s+(?:to|a|por)\s+(?:(?=\S+\s+(?:underscore|dash|dot|guion|punto)))/u.exec(
          rest,
        );
      if (!link || /[.?!]\s/u.test(link[0])) return [];
      return valueFrom(turn, utterance, index + cue.length + link[0].length, type, lexicon);
    });
  });
}

/** "con el usuario campos uno nueve": a word that is no talk, then what only values have. */
function isDirect({ elements }: Turn, from: number, { between, short }: Lexicon): boolean {
  const at = elements.findIndex(
    ({ start, kind, text }) => start >= from && !(kind === "sign" && /[,:]/u.test(text)) && !NEW.has(text),
  );
  const [first, second] = [elements[at], elements[at + 1]];
  if (!first || !second || first.kind === "sign" || PREAMBLE.has(first.text) || STOP.has(first.text)) return false;
  if (first.kind === "digits" || between.has(first.text) || (first.kind === "word" && short.has(first.text)))
    return false;
  return (
    second.kind === "digits" ||
    (second.kind === "letters" && (!second.weak || second.end - second.start === 1)) ||
    (second.text === "." && second.start === first.end && elements[at + 2]?.start === second.end) ||
    (second.kind === "sign" && (second.spoken || (/[_@#-]/u.test(second.text) && second.text !== ".")))
  );
}

/** "mi usuario rociogarcia está bloqueado". */
const BLOCKED =
  /^ (?<name>(?!(?:y|o|ya|me|se|le|que|de|del|no|and|or|that|has|have|not|just|still|also|today)(?![\p{L}]))[\p{L}\d._-]{5,}) (?:esta|sale|aparece|no (?:funciona|va|entra|existe|me)|is|isn't|does|doesn't|got)(?![\p{L}])/u;

const NEW = new Set(["provisional", "temporal", "nueva", "nuevo", "temporary", "new", "siguiente", "wifi"]);

/** The turn before asked for it: what this one says, but for "pues pongo", is the value. */
function answered(call: Call, turns: readonly Turn[], utterance: number, context: Context, lexicon: Lexicon): Entity[] {
  const turn = turns[utterance] as Turn;
  const asked = context.asked(utterance);
  if (!asked || !TOPICS.includes(asked.topic as PiiType)) return [];
  const speaker = speakerOf(call, utterance);
  const asker = speakerOf(call, utterance - asked.turns);
  const known = speaker !== null && asker !== null && new Set(call.utterances.map((turn) => turn.speaker)).size > 1;
  if (known && speaker === asker) return [];
  const waiting = turns.slice(utterance - asked.turns + 1, utterance);
  // "¿Ese es el usuario?" "Sí." What comes then is another matter.
  const agreed = waiting.some(
    ({ folded }, at) => speakerOf(call, utterance - asked.turns + 1 + at) === speaker && AGREED.test(folded),
  );
  if (agreed) return [];
  if (!waiting.every(({ elements }) => elements.every((element) => isPreamble(element, lexicon)))) return [];
  const first = turn.elements.find((element) => !isPreamble(element, lexicon));
  if (!first || context.at(utterance, turn.text.length, { utterance, end: turn.text.length })[0]?.near) return [];
  return valueFrom(turn, utterance, first.start, asked.topic as PiiType, lexicon);
}

const AGREED = /^\s*(?:si|yes|yeah|yep|correcto|exacto|eso es|ese|correct|right|that's (?:it|right|correct))[\s.,!]*$/u;

/** "pues pongo", "sí, es", "it's". */
function isPreamble(element: Element, { between, corrections }: Lexicon): boolean {
  if (element.kind === "sign") return !element.spoken && /^[,.:;¿¡…-]$/u.test(element.text);
  if (element.kind === "digits") return false;
  const text = element.text.toLowerCase();
  if (element.kind === "letters") return element.weak && text === "s";
  if (/^(?:capital|upper|uppercase|lower|lowercase|mayuscula|minuscula)$/u.test(text)) return false;
  return between.has(text) || corrections.has(text) || PREAMBLE.has(text);
}

const PREAMBLE = new Set(
  `es el la con de mi usuario contraseña clave uso utilizo pongo puse aparece sale me creo que seria era tengo entro estoy poniendo siempre misma pues vale sera nombre yo
   it's its is it the my use i'm i am i've been putting typing using think that would be was shows says username password uh sure as with just always same that's well user name`.split(
    /\s+/u,
  ),
);

/** From a place to where the clause ends. */
function valueFrom(turn: Turn, utterance: number, from: number, type: PiiType, lexicon: Lexicon): Entity[] {
  let first: Element | undefined;
  let last: Element | undefined;
  let words = 0;
  let count = 0;
  let resumed = 0;
  for (const [index, element] of turn.elements.entries()) {
    if (element.start < from || index < resumed) continue;
    if (!first && isPreamble(element, lexicon)) continue;
    if (++count > MOST) break;
    if (ends(turn, index, element, words, first !== undefined, lexicon)) {
      const again = first && resumes(turn, index, lexicon);
      if (!again) break;
      resumed = again;
      words = 0;
      continue;
    }
    if (element.kind === "word" && !lexicon.between.has(element.text)) words += 1;
    first ??= element;
    if (element.kind !== "sign" || element.spoken || !/^[,.;:…]$/u.test(element.text)) last = element;
  }
  if (!first || !last) return [];
  // A word or two is a value only when it is no plain talk.
  const text = turn.text.slice(first.start, last.end);
  if (PLAIN.test(text.toLowerCase())) return [];
  return [{ type, utterance, start: first.start, end: last.end, confidence: 0.7, source: "rule" }];
}

const PLAIN =
  /^(?:(?:an? |el |la |un |una |the )?(?:existing|new|old|nuev[oa]|existente|antigu[oa])(?![\p{L}\d])|no|incorrect[oa]?|correct[oa]?|wrong|invalid[oa]?|expired|locked|blocked|bloquead[oa]|caducad[oa]|not |muy |very |too |la misma|the same|un momento|one moment|what|which|que |mal|gracias|thank|will do|perfect|great|entendido|got it|no lo|i (?:don't|can't|do not|forgot)|se me|ni idea|hecho|done|hola|hello|buen[oa]s|disculp|perdon|sorry|claro|de acuerdo|for what|para que|por que|why)/u;

const STOP = new Set(
  "y pero que porque aunque cuando si no gracias por creo vale and but because so when which if it that thanks please then cambiela me al para with".split(
    " ",
  ),
);

/** "y luego 24", "and the number 5". */
const JOIN = new Set("y luego despues un una el numero and then the a number digit digits mas plus".split(" "));

/**
 * Where a value goes on behind a word that would end it: behind "y luego" with digits, letters or signs; behind
 * "no, perdón" with another that takes its place. Undefined when it is over.
 */
function resumes(turn: Turn, from: number, { corrections, between }: Lexicon): number | undefined {
  const { elements, folded } = turn;
  const said = ({ start, end }: Element) => folded.slice(start, end);
  let next = from;
  const slips: string[] = [];
  const joins: string[] = [];
  for (; next < elements.length; next++) {
    const element = elements[next] as Element;
    const text = said(element);
    if (element.kind === "digits" || (element.kind === "letters" && !element.weak)) break;
    if (corrections.has(text)) slips.push(text);
    else if (JOIN.has(text) && slips.length === 0) joins.push(text);
    else if (!between.has(text) && !/^[,.…]$/u.test(text)) break;
  }
  const element = elements[next];
  if (!element) return undefined;
  const formed = element.kind === "digits" || (element.kind === "letters" && near(turn, next)) || isSpoken(element);
  // A lone "no" denies: "luna no me funciona".
  if (slips.length > 0)
    return formed || (slips.some((word) => word !== "no") && isValue(turn, next)) ? next : undefined;
  return formed && /^(?:y|and|plus|mas)$/u.test(joins[0] ?? "") ? next : undefined;
}

const isSpoken = (element: Element) => element.kind === "sign" && element.spoken;

/** A short rest, or one with what only values have. */
function isValue({ elements }: Turn, from: number): boolean {
  const rest = elements.slice(from, from + 4);
  return elements.length - from <= 2 || rest.some((one) => one.kind === "digits" || isSpoken(one));
}

/** Whether the value is over before this element. */
function ends(turn: Turn, index: number, element: Element, words: number, begun: boolean, lexicon: Lexicon): boolean {
  const next = turn.elements[index + 1];
  if (element.kind === "sign" && !element.spoken) {
    if (/[?¿]/u.test(element.text)) return true;
    const gap = next && next.start > element.end;
    if (element.text === "," && next && begun && goesOn(turn, index + 1)) return false;
    if (/[.!,;]/u.test(element.text) && (gap || !next))
      return !next || next.kind === "word" || (next.kind === "letters" && next.weak && !near(turn, index + 1));
    return false;
  }
  if (!begun) return false;
  if (element.kind === "word") {
    if (STOP.has(element.text)) return true;
    return words >= 3 && !lexicon.between.has(element.text);
  }
  if (element.kind === "letters" && element.weak) {
    const text = turn.folded.slice(element.start, element.end);
    return STOP.has(text) && !near(turn, index);
  }
  return false;
}

/** The clause behind a comma is of the value still: two words, or digits and signs among them. */
function goesOn({ elements, folded }: Turn, from: number): boolean {
  const to = elements.findIndex(({ kind, text }, at) => at >= from && kind === "sign" && /^[.,;?!]$/u.test(text));
  const clause = elements.slice(from, to < 0 ? undefined : to);
  const [first] = clause;
  if (!first || STOP.has(folded.slice(first.start, first.end))) return false;
  return clause.some(({ kind }) => kind !== "word") || clause.length <= 2;
}

/** A weak letter is one when digits or letters are next to it. */
function near(turn: Turn, index: number): boolean {
  const next = turn.elements[index + 1];
  return (
    next !== undefined &&
    (next.kind === "digits" || next.kind === "letters" || (next.kind === "sign" && (next.spoken || next.text === ".")))
  );
}
