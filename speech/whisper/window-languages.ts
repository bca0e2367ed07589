import { type Belief, type Evidence, likeliest } from "../language/evidence.ts";
import { beliefIn } from "../language/shares.ts";
import { smooth } from "../language/smooth.ts";
import { joined, stretchesOf } from "../language/stretches.ts";
import { spokenSamples } from "../spans.ts";
import { type Detection, SAMPLE_RATE, type Span, type WindowLanguage } from "../types.ts";
import type { LanguageEar } from "./language-ear.ts";

/** A part of a window to be decoded in one language. */
export interface LanguagePart {
  spans: readonly Span[];
  language: string;
  belief: Belief;
}

/** Asks for the language of audio: of the whole window, which is encoded already, or of some of its spans. */
export interface Questions {
  whole(): Promise<Evidence>;
  part(spans: readonly Span[]): Promise<Evidence>;
}

/** A window that is this sure of the recording's only language is not looked into. */
const CLEAR = 0.95;
/** A recording has one language when that has this share of it. */
const ALONE = 0.9;
/** Stretches believed in less than this say nothing of where a language changes. */
const BELIEVED = 0.6;

/**
 * Which language a window is in, and where it changes. Whisper hears 30 s as one language and translates the rest, so a
 * window that is not clearly in the recording's language is heard stretch by stretch (3 s and more, cut at its pauses),
 * each with its neighbours in view; runs of one language become parts. The answer depends on the window's own audio and
 * on what was identified before, on nothing that was decoded in between: a repeat gives the same parts.
 */
export async function languageParts(
  spans: readonly Span[],
  { languages, shares }: Detection,
  listener: Questions,
): Promise<LanguagePart[]> {
  const heard = await listener.whole();
  const whole = asPart(spans, beliefIn(heard, shares));
  if (languages.length === 1 || isClear(heard, whole, shares)) return [whole];
  const stretches = stretchesOf(spans);
  if (stretches.length < 2) return [whole];
  const evidence: Evidence[] = [];
  for (const stretch of stretches) evidence.push(await listener.part(stretch));
  const beliefs = smooth(evidence, shares);
  const parts: LanguagePart[] = [];
  for (const [i, stretch] of stretches.entries()) {
    const next = asPart(stretch, beliefs[i] as Belief);
    const last = parts.at(-1);
    const unsure = (next.belief[next.language] as number) < BELIEVED;
    if (last && (unsure || last.language === next.language)) parts[parts.length - 1] = merged(last, next);
    else parts.push(next);
    // What an unsure stretch has joined may be in another language with it, and then in that of the part before.
    const [before, joint] = [parts.at(-2), parts.at(-1)];
    if (before && joint && before.language === joint.language) parts.splice(-2, 2, merged(before, joint));
  }
  return parts;
}

/** The same for a row of the batch, which holds the window. It does so still when the window has one part. */
export async function partsOfRow(
  row: number,
  spans: readonly Span[],
  { detection, ear, hear }: { detection: Detection; ear: LanguageEar; hear: (spans: readonly Span[]) => Promise<void> },
): Promise<LanguagePart[]> {
  const seconds = (some: readonly Span[]) => spokenSamples(some) / SAMPLE_RATE;
  let disturbed = false;
  const parts = await languageParts(spans, detection, {
    whole: () => ear.listen(row, seconds(spans)),
    part: async (some) => {
      disturbed = true;
      await hear(some);
      return ear.listen(row, seconds(some));
    },
  });
  if (disturbed && parts.length === 1) await hear(spans);
  return parts;
}

export function toWindowLanguage({ spans, language, belief }: LanguagePart): WindowLanguage {
  const told = Object.entries(belief).filter(([code, probability]) => probability >= 0.01 || code === language);
  return {
    language,
    seconds: spokenSamples(spans) / SAMPLE_RATE,
    probabilities: Object.fromEntries(told.map(([code, probability]) => [code, Math.round(probability * 1e4) / 1e4])),
  };
}

/** The language with most speech, of equals the first. */
export function mainLanguage(parts: readonly LanguagePart[]): string {
  const samples = new Map<string, number>();
  for (const { language, spans } of parts) samples.set(language, (samples.get(language) ?? 0) + spokenSamples(spans));
  return [...samples].sort((a, b) => b[1] - a[1])[0]?.[0] as string;
}

function isClear({ logprobs }: Evidence, { language }: LanguagePart, shares: Belief): boolean {
  return (shares[language] ?? 0) >= ALONE && Math.exp(logprobs[language] as number) >= CLEAR;
}

function asPart(spans: readonly Span[], belief: Belief): LanguagePart {
  return { spans, language: likeliest(belief), belief };
}

/** `right` is taken into `left`; beliefs weigh as long as they are, and what both together are believed in is their language. */
function merged(left: LanguagePart, right: LanguagePart): LanguagePart {
  const [a, b] = [spokenSamples(left.spans), spokenSamples(right.spans)];
  const belief = Object.fromEntries(
    Object.entries(left.belief).map(([code, value]) => [code, (value * a + (right.belief[code] ?? 0) * b) / (a + b)]),
  );
  return asPart(joined([...left.spans, ...right.spans]), belief);
}
