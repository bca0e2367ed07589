import type { Composition } from "../../eval/audio/compose.ts";
import { median, round, table } from "../benchmark.ts";
import type { Answer } from "../contender.ts";
import { edits, normalise } from "../words.ts";
import type { Clip } from "./clips.ts";

/** One contender's answers to the same question, run by run. */
export interface Side {
  name: string;
  answers: Answer[];
}

/** Median seconds of work a second of audio. */
export const realTimeFactor = ({ answers }: Side, audioSeconds: number): number =>
  median(answers.map(({ seconds }) => seconds)) / audioSeconds;

export const secondsOf = ({ answers }: Side): number[] => answers.map(({ seconds }) => round(seconds, 3));

/** Word error rate over pairs of what is said and what was heard, in percent; null when no words are known. */
export function rateOf(pairs: readonly { said: string; heard: string }[], language: string): number | null {
  let [wrong, words] = [0, 0];
  for (const { said, heard } of pairs) {
    const reference = normalise(said, language);
    wrong += edits(reference, normalise(heard, language));
    words += reference.length;
  }
  return words === 0 ? null : round((100 * wrong) / words, 2);
}

/** Of the first run: every contender here hears the same each time. */
export const werOfFile = ({ answers }: Side, file: Composition) =>
  rateOf([{ said: file.text, heard: answers[0]?.text ?? "" }], file.language);

/** The same over clips, each compared with its own text. */
export function werOfClips({ answers }: Side, clips: readonly Clip[], language: string): number | null {
  const heard = answers[0]?.texts ?? [];
  return rateOf(
    clips.flatMap(({ text }, i) => (text === null ? [] : [{ said: text, heard: heard[i] ?? "" }])),
    language,
  );
}

/** Sides beside each other; the last column is the time against the first side's. */
export function standings(sides: readonly Side[], audioSeconds: number, wers: readonly (number | null)[]): string {
  const factors = sides.map((side) => realTimeFactor(side, audioSeconds));
  return table([
    ["", "real-time factor", "times real time", "WER", "time against ours"],
    ...sides.map(({ name }, i) => [
      name,
      (factors[i] as number).toFixed(4),
      (1 / (factors[i] as number)).toFixed(1),
      wers[i] == null ? "–" : `${wers[i].toFixed(1)} %`,
      ((factors[i] as number) / (factors[0] as number)).toFixed(2),
    ]),
  ]);
}
