import { cutPacked } from "../alignment/packed-time.ts";
import type { SpokenWord } from "../alignment/word-times.ts";
import type { Span } from "../types.ts";
import { type Attempt, better, isConvincing, joinAttempts, withSpan, wordsOf } from "./attempt.ts";
import { decodeByBeams } from "./beam.ts";
import { averageLogprob, HOPELESS_LOGPROB, UNSURE_LOGPROB } from "./guards.ts";
import type { Hearing, Listener } from "./listener.ts";
import { WINDOW_SAMPLES } from "./model.ts";
import { longestPause } from "./pause.ts";
import { decodeWithTimestamps } from "./timestamps.ts";

/** What a window came to. */
export interface Found {
  best: Attempt;
  words: SpokenWord[];
  /** As in `WindowResult`. */
  reasons: string[];
  retries: string[];
  /** Tokens of all attempts. */
  generated: number;
  /** As in `WindowResult`. */
  terms?: number | null;
}

/** The first attempt as it is. */
export function accept(first: Attempt): Found {
  return { best: first, words: wordsOf(first), reasons: [], retries: [], generated: first.generated };
}

/** True when nothing about a text asks for another attempt. */
export function isRight(first: Attempt): boolean {
  return isSure(first) && first.uncovered.length === 0;
}

/** The best that can be made of a window whose first attempt is not right. Uses row 0. */
export async function retry(
  listener: Listener,
  spans: readonly Span[],
  first: Attempt,
  hearing: Hearing,
): Promise<Found> {
  const found = isSure(first) ? accept(first) : await seekAgain(listener, spans, first, hearing);
  if (found.best.uncovered.length > 0) await fill(listener, found, hearing);
  return found;
}

function isSure(first: Attempt): boolean {
  return first.guards.length === 0 && averageLogprob(first) >= UNSURE_LOGPROB;
}

/**
 * A text that is only unsure goes to the beam at once. One that trips a guard: split, timestamps, beam, until one
 * trips none, else the best of all.
 */
async function seekAgain(listener: Listener, spans: readonly Span[], first: Attempt, hearing: Hearing): Promise<Found> {
  const { language, onBeat } = hearing;
  const hearAgain = async (decode: typeof decodeByBeams) => {
    await listener.hear(spans, hearing);
    const decoded = await decode(listener.stepper, { ...listener.bounds(spans), language, onStep: onBeat });
    return listener.judge(decoded, spans, language);
  };
  const beam: Way = ["beam", () => hearAgain(decodeByBeams)];
  const split: Way = ["split", () => decodeHalves(listener, spans, hearing)];
  const timestamps: Way = ["timestamps", () => hearAgain(decodeWithTimestamps)];
  const ways = first.guards.length === 0 ? [beam] : [split, timestamps, beam];
  const reasons = first.guards.length === 0 ? ["unsure"] : [...first.guards];
  const retries: string[] = [];
  let best = first;
  let { generated } = first;
  for (const [name, decode] of ways) {
    const next = await decode();
    onBeat();
    retries.push(name);
    generated += next.generated;
    best = better(best, next);
    if (next.guards.length === 0) break;
  }
  // Nobody said this: rather a gap than an invention.
  if (averageLogprob(best) < HOPELESS_LOGPROB) best = { ...best, pieces: [], uncovered: [] };
  return { best, words: wordsOf(best), reasons, retries, generated };
}

/** A retry by its name in `WindowResult.retries`. */
type Way = [name: string, decode: () => Promise<Attempt>];

async function decodeHalves(listener: Listener, spans: readonly Span[], hearing: Hearing): Promise<Attempt> {
  await hearing.read(spans, listener.audio(0));
  const cut = longestPause(spans, listener.audio(0));
  const pieces: Attempt[] = [];
  for (const half of [cutPacked(spans, 0, cut), cutPacked(spans, cut, WINDOW_SAMPLES)]) {
    if (half.length === 0) continue;
    await listener.hear(half, hearing);
    await listener.greedy([{ spans: half, language: hearing.language }], hearing, (_, attempt) => pieces.push(attempt));
  }
  return joinAttempts(pieces);
}

/** Hears spans that were left out again, each alone, and takes what is convincing. */
async function fill(listener: Listener, found: Found, hearing: Hearing): Promise<void> {
  found.reasons.push("uncovered");
  found.retries.push("span");
  for (const span of found.best.uncovered) {
    await listener.hear([span], hearing);
    await listener.greedy([{ spans: [span], language: hearing.language }], hearing, (_, alone) => {
      found.generated += alone.generated;
      if (isConvincing(alone)) found.best = withSpan(found.best, span, alone);
    });
  }
  found.words = wordsOf(found.best);
}
