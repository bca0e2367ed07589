import { fileURLToPath } from "node:url";
import type { Composition } from "../../eval/audio/compose.ts";
import type { Contender, Question } from "../contender.ts";
import type { Rivals } from "../rivals.ts";
import { wordErrorRate } from "../words.ts";
import type { Company } from "./company.ts";
import { type Entry, fastestOf } from "./turns.ts";

type Say = (line: string) => void;

export const about = ({ path, language }: Composition): Question => ({ file: path, language });

/**
 * faster-whisper on a long file with batches of 4, 8 and 16, the fastest; tried on the long file, because a short one
 * does not fill a batch. It decodes greedily, as we do.
 */
export async function fastestFasterWhisper(contender: Contender, long: Composition, say: Say): Promise<Entry> {
  const tried: Timed[] = [];
  for (const batch of [4, 8, 16]) {
    const settings = { batch_size: batch, beam_size: 1 };
    const { seconds } = await fastestOf(contender, { ...about(long), ...settings }, 1);
    say(`faster-whisper, batches of ${batch}: ${seconds.toFixed(2)} s`);
    tried.push({ contender, settings, label: `batch ${batch}`, seconds });
  }
  return fastest(tried);
}

/** faster-whisper on clips: its batched pipeline, which asks for the language apart, or its sequential one. */
export async function fastestOnClips(contender: Contender, question: Question, say: Say): Promise<Entry> {
  const tried: Timed[] = [];
  for (const [label, batch_size] of [
    ["sequential", undefined],
    ["batched", 4],
  ] as const) {
    const settings = { batch_size, beam_size: 1 };
    const { seconds } = await fastestOf(contender, { ...question, ...settings }, 2);
    say(`faster-whisper on clips, ${label}: ${seconds.toFixed(2)} s`);
    tried.push({ contender, settings, label, seconds });
  }
  return fastest(tried);
}

/**
 * transformers.js with fp32 or int8 for each of its two graphs, with or without timestamps. All settings are timed on
 * the short file; the fastest that hears the words of the long one (at most `worstWer`) is the rival, the best at it if
 * none does.
 */
export async function fastestTransformersjs(
  company: Company,
  { hub }: Rivals,
  threads: number,
  { short, long, worstWer }: { short: Composition; long: Composition; worstWer: number },
  say: Say,
): Promise<Entry> {
  const script = fileURLToPath(new URL("../contenders/transformersjs.ts", import.meta.url));
  const tried: Timed[] = [];
  for (const dtype of ["fp32", "q8", "fp32,q8", "q8,fp32"]) {
    const args = [script, hub, dtype, String(threads)];
    const contender = await company.start("transformers.js", process.execPath, args);
    for (const timestamps of [false, true]) {
      const settings = { timestamps };
      const label = timestamps ? `${dtype}, timestamps` : dtype;
      const { seconds } = await fastestOf(contender, { ...about(short), ...settings }, 2);
      say(`transformers.js, ${label}: ${seconds.toFixed(2)} s for a minute`);
      tried.push({ contender, settings, label, seconds });
    }
  }
  let best: (Entry & { wer: number }) | undefined;
  for (const entry of tried.toSorted((a, b) => a.seconds - b.seconds)) {
    const { seconds, text } = await entry.contender.ask({ ...about(long), ...entry.settings });
    const wer = wordErrorRate(long.text, text, long.language);
    say(`transformers.js, ${entry.label}: ${seconds.toFixed(2)} s, ${wer.toFixed(1)} % of words wrong`);
    if (!best || wer < best.wer) best = { ...entry, wer };
    if (wer <= worstWer) break;
  }
  const rival = best as Entry;
  await company.dismiss(...tried.map(({ contender }) => contender).filter((other) => other !== rival.contender));
  return rival;
}

type Timed = Entry & { seconds: number };

const fastest = (tried: Timed[]): Entry => tried.reduce((a, b) => (b.seconds < a.seconds ? b : a));
