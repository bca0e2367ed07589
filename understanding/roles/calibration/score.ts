import type { Vote } from "../vote.ts";
import { PASS } from "./pass.ts";
import type { WrittenCall } from "./templates.ts";

/**
 * Kinds of calls that mislead or have no answer, and what share of real calls they are taken to be: the sets hold many
 * more of them, so that each way of being wrong is met.
 */
export const MISLEADING: Record<string, number> = { "inbound-none": 0.06, swapped: 0.03, exchanged: 0.05 };

export interface Score {
  calls: number;
  answered: number;
  /** Of the answers, weighted as real calls are mixed. 0 when nothing was answered. */
  precision: number;
  /** Of the calls that do not mislead. */
  coverage: number;
  passed: boolean;
}

export interface Scored {
  written: WrittenCall;
  /** Null when the voter abstains. */
  vote: Vote | null;
}

/** Whether every role that is given is right; once speakers were exchanged on the way, none is. */
export function isRight({ written, vote }: Scored): boolean {
  if (!vote || written.kind === "exchanged") return false;
  return Object.entries(vote.roles).every(([speaker, role]) => role === null || role === written.truth[speaker]);
}

/** How good a voter is on calls of the calibration. */
export function score(scored: readonly Scored[]): Score {
  const answered = scored.filter(({ vote }) => vote !== null);
  const answerable = scored.filter(({ written }) => !(written.kind in MISLEADING));
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
  const share = MISLEADING[kind];
  return share === undefined ? 1 : (share * kinds.length) / kinds.filter((other) => other === kind).length;
}
