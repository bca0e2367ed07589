import * as z from "zod";
import { decide } from "../decide/decide.ts";
import { type Difference, differences } from "./difference.ts";
import { readDecisionLine } from "./line.ts";

/** What came of deciding one logged decision again. */
export type Replayed =
  | { line: number; outcome: "same" | "different"; pool: string; at: string; differences: Difference[] }
  | { line: number; outcome: "unreadable"; message: string };

/**
 * Decides again what a log's lines say was decided. Lines that are no decisions are passed over, so that the log of
 * a whole operator can be given as it is.
 */
export async function* replay(lines: AsyncIterable<string> | Iterable<string>): AsyncGenerator<Replayed> {
  let number = 0;
  for await (const text of lines) {
    number += 1;
    try {
      const logged = readDecisionLine(text);
      if (!logged) continue;
      const { pool, at, observation, plan } = logged;
      // The way through JSON that the logged plan has taken.
      const found = differences(plan, JSON.parse(JSON.stringify(decide(observation))));
      yield { line: number, outcome: found.length === 0 ? "same" : "different", pool, at, differences: found };
    } catch (error) {
      if (!(error instanceof z.ZodError)) throw error;
      yield { line: number, outcome: "unreadable", message: z.prettifyError(error) };
    }
  }
}
