import { featuresOf } from "./features.ts";
import { FITTED } from "./fitted.ts";

const WEIGHTS = new Int8Array(Buffer.from(FITTED.weights, "base64"));

/** A sentence that goes on and on, as recognition without stops writes, is looked at in pieces of so many words. */
const PIECE = 16;
const LONG = 24;

/** The most that a sentence, or a piece of a long one, sounds as said to a machine. */
export function machineTalk(sentence: string): number {
  const words = sentence.trim().split(/\s+/u);
  if (words.length <= LONG) return scoreOf(sentence);
  const starts = Array.from(
    { length: Math.ceil((words.length - PIECE) / (PIECE / 2)) + 1 },
    (_, at) => (at * PIECE) / 2,
  );
  return Math.max(...starts.map((from) => scoreOf(words.slice(from, from + PIECE).join(" "))));
}

/**
 * How much a sentence sounds as what is said to a machine that reads the call: log odds, fitted to sentences of both kinds in
 * Spanish and English (`npm run fit-orders`). Words of other languages say nothing and leave it low.
 */
function scoreOf(sentence: string): number {
  let score = 0;
  for (const [place, value] of featuresOf(sentence)) score += (WEIGHTS[place] ?? 0) * value;
  return FITTED.bias + score * FITTED.unit;
}
