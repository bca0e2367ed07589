import { type Evidence, likeliest, normalise } from "../language/evidence.ts";
import { stretchesOf } from "../language/stretches.ts";
import { spokenSamples } from "../spans.ts";
import { SAMPLE_RATE, type Span } from "../types.ts";
import { LanguageEar } from "./language-ear.ts";
import type { ReadAudio } from "./listener.ts";
import { WINDOW_SAMPLES } from "./model.ts";
import type { Stepper } from "./step.ts";

/** Speech to hear before a language is believed. */
const ENOUGH_SECONDS = 10;
/** Windows heard at the most once that much speech was heard and all agreed. */
const ENOUGH_WINDOWS = 4;
/** Probability at which a window alone settles it, and the one at which two windows do. */
const CERTAIN = 0.99;
const SURE = 0.9;
/** A window that differs from the others by this much says that the recording may have several languages. */
const DIFFERS = 0.5;
/**
 * Two languages in one window sound like the one that Whisper knows better, at 0.55 to 0.99 for every third second in
 * the other; one alone at 0.97 and more. So a window under this is heard at three places before it is believed.
 */
const DOUBTFUL = 0.97;

interface Heard {
  spans: readonly Span[];
  evidence: Evidence;
}

/**
 * Which languages a recording sounds like, window by window, spread over it so that a greeting in another language does
 * not decide. Where they agree, few are heard: at least 10 s of speech where there is as much, and two windows, then
 * until they are sure, four at the most. Where one differs, all of `windows` are heard, so that each language gets its
 * share. Where they agree and one is doubtful, that one is heard in parts, and if those differ all are.
 */
export async function scoreLanguages(
  stepper: Stepper,
  windows: readonly { spans: Span[] }[],
  { languages, read, onBeat }: { languages: readonly string[]; read: ReadAudio; onBeat: () => void },
): Promise<Evidence[]> {
  const ear = new LanguageEar(stepper, languages);
  const audio = new Float32Array(WINDOW_SAMPLES);
  const hear = async (spans: readonly Span[]): Promise<Heard> => {
    await read(spans, audio);
    await stepper.cross.encode(0, audio);
    onBeat();
    return { spans, evidence: await ear.listen(0, spokenSamples(spans) / SAMPLE_RATE) };
  };
  const heard: Heard[] = [];
  for (const { spans } of spreadOrder(windows)) {
    if (isSettled(evidenceOf(heard), windows.length)) break;
    heard.push(await hear(spans));
  }
  if (languages.length === 1 || differ(evidenceOf(heard))) return evidenceOf(heard);
  const [doubtful] = heard
    .filter(({ evidence, spans }) => opinionOf(evidence).probability < DOUBTFUL && stretchesOf(spans).length >= 3)
    .sort((a, b) => opinionOf(a.evidence).probability - opinionOf(b.evidence).probability);
  if (!doubtful) return evidenceOf(heard);
  const stretches = stretchesOf(doubtful.spans);
  const places = [0, Math.floor(stretches.length / 2), stretches.length - 1].map((i) => stretches[i] as Span[]);
  const parts: Heard[] = [];
  for (const place of places) parts.push(await hear(place));
  if (!differ(evidenceOf(parts))) return evidenceOf(heard);
  const all: Heard[] = [];
  for (const { spans } of heard) for (const stretch of stretchesOf(spans)) all.push(await hear(stretch));
  return evidenceOf(all);
}

function evidenceOf(heard: readonly Heard[]): Evidence[] {
  return heard.map(({ evidence }) => evidence);
}

function opinionOf({ seconds, logprobs }: Evidence): { seconds: number; language: string; probability: number } {
  const belief = normalise(logprobs);
  const language = likeliest(belief);
  return { seconds, language, probability: belief[language] as number };
}

function differ(heard: readonly Evidence[]): boolean {
  const decided = heard.map(opinionOf).filter(({ probability }) => probability >= DIFFERS);
  return new Set(decided.map(({ language }) => language)).size > 1;
}

/** True when these windows, in the order they were heard, say enough of a recording of `count`. */
export function isSettled(heard: readonly Evidence[], count: number): boolean {
  const seconds = heard.reduce((sum, window) => sum + window.seconds, 0);
  if (seconds < ENOUGH_SECONDS) return false;
  if (heard.length < Math.min(2, count) || differ(heard)) return false;
  const opinions = heard.map(opinionOf);
  if (opinions.some(({ seconds, probability }) => probability >= CERTAIN && seconds >= ENOUGH_SECONDS)) return true;
  const [last, before] = [opinions.at(-1), opinions.at(-2)];
  const twoSure =
    last !== undefined && before?.language === last.language && Math.min(last.probability, before.probability) >= SURE;
  return twoSure || heard.length >= ENOUGH_WINDOWS;
}

/** Eighths 1, 5, 3, 7 of the recording first, then the rest from the start. */
export function spreadOrder<T>(windows: readonly T[]): T[] {
  const spread = [1, 5, 3, 7].map((eighth) => windows[Math.floor((windows.length * eighth) / 8)] as T);
  return [...new Set([...(windows.length > 0 ? spread : []), ...windows])];
}
