import type { Call } from "../types.ts";
import { fold } from "../words.ts";

/** Somebody of the company says in so many words that something will be done. */
const PROMISE =
  /(?<!\p{L})(?:(?:le|les|te|os|se lo) (?:mand|envi|abr|devolv|devuelv|gestion|tramit|reembols|abon|cambi)(?:o|amos|emos|ere|are|aremos|iremos|eremos)|(?:le|les|te) llam(?:o|amos|are|aremos|aran|ara)|(?:pasa|pasara|ira|va|visitara|acudira) (?:un|el) tecnico|abro (?:una|la|el|un) \p{L}+|abriremos|(?:i'll|i will|we'll|we will|i'm going to|we're going to) (?:send|open|arrange|refund|ring|call|book|email|replace|credit|issue|order|escalate|raise|log|post)|(?:adjuster|engineer|technician|colleague|driver|somebody|someone) (?:will|is going to) \p{L}+)(?!\p{L})/u;

/** Whether a call holds a task by its own plain words (Spanish, English): a witness against "there is none". */
export function hasPromise({ utterances }: Call): boolean {
  return utterances.some(({ speakerRole, text }) => speakerRole !== "customer" && PROMISE.test(fold(text)));
}
