import type { Vote } from "../vote.ts";
import type { WrittenCall } from "./templates.ts";

/**
 * Kinds of calls in which no attribution is right, and what share of real calls they are taken to be: the sets hold
 * many more of them, so that each way of being wrong is met.
 */
export const WITHOUT_ANSWER: Record<string, number> = { "inbound-none": 0.06, swapped: 0.03, exchanged: 0.05 };

/** A voter counts only from here on. */
export const PASS = 0.95;

export interface Score {
  calls: number;
  answered: number;
  /** Of the answers, weighted as real calls are mixed. 0 when nothing was answered. */
  precision: number;
  /** Of the calls that have an answer. */
  coverage: number;
  passed: boolean;
}

export interface Scored {
  written: WrittenCall;
  /** Null when the voter abstains. */
  vote: Vote | null;
}

/** Whether every role that is given is right. */
export function isRight({ written, vote }: Scored): boolean {
  if (!vote || written.kind in WITHOUT_ANSWER) return false;
  return Object.entries(vote.roles).every(([speaker, role]) => role === null || role === written.truth[speaker]);
}

/** How good a voter is on calls of the calibration. */
export function score(scored: readonly Scored[]): Score {
  const answered = scored.filter(({ vote }) => vote !== null);
  const answerable = scored.filter(({ written }) => !(written.kind in WITHOUT_ANSWER));
  const kinds = scored.map(({ written }) => written.kind);
  let [right, all] = [0, 0];
  for (const one of answered) {
    const importance = importanceOf(one.written.kind, kinds);
    all += importance;
    if (isRight(one)) right += importance;
  }
  const precision = all === 0 ? 0 : right / all;
  const covered = answerable.filter(({ vote }) => vote !== null).length;
  return {
    calls: scored.length,
    answered: answered.length,
    precision,
    coverage: answerable.length === 0 ? 0 : covered / answerable.length,
    passed: precision >= PASS,
  };
}

/** How many calls of the kind there are among real ones, for each among these. */
export function importanceOf(kind: string, kinds: readonly string[]): number {
  const share = WITHOUT_ANSWER[kind];
  return share === undefined ? 1 : (share * kinds.length) / kinds.filter((other) => other === kind).length;
}
