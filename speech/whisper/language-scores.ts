import { spokenSamples } from "../spans.ts";
import { SAMPLE_RATE, type Span } from "../types.ts";
import { onlyBias } from "./bias.ts";
import type { ReadAudio } from "./listener.ts";
import { WINDOW_SAMPLES } from "./model.ts";
import { languageNumber } from "./prompt.ts";
import type { Stepper } from "./step.ts";

/** Speech to hear before a language is believed. */
export const ENOUGH_SECONDS = 10;
/** Windows heard at the most once that much speech was heard. */
export const ENOUGH_WINDOWS = 4;
/** Probability at which a window alone settles it, and the one at which two windows do. */
const CERTAIN = 0.99;
const SURE = 0.9;

export interface LanguageScore {
  /** ISO 639-1. */
  language: string;
  /** Sum over the windows heard of the natural-log probability. */
  logprob: number;
  /** exp(logprob), normalised over the languages asked for. */
  probability: number;
}

/**
 * Whisper's language identification: one decoder step on `<|startoftranscript|>`, the languages' own tokens only.
 * Log-probabilities are summed over windows spread over the recording, so that a greeting in another language does not
 * decide: at least 10 s of speech where there is as much, then until one window is certain or two in a row are sure of
 * the same language, four windows at the most. Best first; ties in the catalogue's order.
 */
export async function scoreLanguages(
  stepper: Stepper,
  windows: readonly { spans: Span[] }[],
  { languages, read, onBeat }: { languages: readonly string[]; read: ReadAudio; onBeat: () => void },
): Promise<LanguageScore[]> {
  const { model } = stepper;
  const audio = new Float32Array(WINDOW_SAMPLES);
  const numbers = new Map(languages.map((language) => [languageNumber(model, language), language]));
  const bias = onlyBias(model, numbers.keys());
  const sums = new Map(languages.map((language) => [language, 0]));
  const sure: (string | undefined)[] = [];
  let certain = false;
  let heard = 0;
  for (const [count, window] of spreadOrder(windows).entries()) {
    if (heard >= ENOUGH_SECONDS) {
      if (certain || count >= ENOUGH_WINDOWS || (sure.length > 1 && sure.at(-1) && sure.at(-1) === sure.at(-2))) break;
    }
    await read(window.spans, audio);
    await stepper.cross.encode(0, audio);
    stepper.self.clear();
    const step = await stepper.step([model.tokens.startOfTranscript], {
      rows: 1,
      bias,
      top: languages.length,
      heard: stepper.cross.feeds(0, 1),
    });
    for (let rank = 0; rank < languages.length; rank++) {
      const language = numbers.get(Number(step.tokens[rank])) as string;
      sums.set(language, (sums.get(language) as number) + (step.logprobs[rank] as number));
    }
    const best = Math.exp(step.logprobs[0] as number);
    const seconds = spokenSamples(window.spans) / SAMPLE_RATE;
    sure.push(best >= SURE ? numbers.get(Number(step.tokens[0])) : undefined);
    certain = best >= CERTAIN && seconds >= ENOUGH_SECONDS;
    heard += seconds;
    onBeat();
  }
  return normalise([...sums]);
}

/** Eighths 1, 5, 3, 7 of the recording first, then the rest from the start. */
export function spreadOrder<T>(windows: readonly T[]): T[] {
  const spread = [1, 5, 3, 7].map((eighth) => windows[Math.floor((windows.length * eighth) / 8)] as T);
  return [...new Set([...(windows.length > 0 ? spread : []), ...windows])];
}

function normalise(sums: readonly (readonly [string, number])[]): LanguageScore[] {
  const most = Math.max(...sums.map(([, logprob]) => logprob));
  const total = sums.reduce((sum, [, logprob]) => sum + Math.exp(logprob - most), 0);
  return sums
    .map(([language, logprob]) => ({ language, logprob, probability: Math.exp(logprob - most) / total }))
    .sort((a, b) => b.logprob - a.logprob);
}
