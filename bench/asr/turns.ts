import type { Answer, Contender, Question } from "../contender.ts";

/** A contender in the setting in which it competes. */
export interface Entry {
  contender: Contender;
  settings: Record<string, unknown>;
  /** The setting that was found fastest, for the reader. */
  label: string;
}

/**
 * Everyone answers the question once a run, one after the other (A B C A B C …), so that a machine that slows down
 * slows them all. The answers by entry, then by run.
 */
export async function takeTurns(
  entries: readonly Entry[],
  question: Question,
  { runs, what, say }: { runs: number; what: string; say: (line: string) => void },
): Promise<Answer[][]> {
  const answers: Answer[][] = entries.map(() => []);
  for (let run = 1; run <= runs; run++) {
    for (const [i, { contender, settings }] of entries.entries()) {
      const answer = await contender.ask({ ...question, ...settings });
      answers[i]?.push(answer);
      say(`${what}, run ${run} of ${runs}: ${contender.name} ${answer.seconds.toFixed(2)} s`);
    }
  }
  return answers;
}

/** The fastest of some answers to one question. */
export async function fastestOf(contender: Contender, question: Question, times: number): Promise<Answer> {
  const answers: Answer[] = [];
  for (let time = 0; time < times; time++) answers.push(await contender.ask(question));
  return answers.reduce((a, b) => (b.seconds < a.seconds ? b : a));
}
