import { segmentsOf } from "../alignment/segments.ts";
import type { Window, WindowResult } from "../types.ts";
import { averageLogprob } from "../whisper/guards.ts";
import type { Family } from "./family.ts";
import { isTrusted } from "./trusted.ts";

/**
 * A window as a fast family hears it, when that family knows the language and what it wrote can be trusted; undefined
 * when Whisper has to hear it. `audio` is the window's spans end to end.
 */
export async function hearFast(
  family: Family,
  window: Window,
  { language, audio, onBeat }: { language: string; audio: Float32Array; onBeat: () => void },
): Promise<WindowResult | undefined> {
  if (!family.languages.has(language)) return undefined;
  const started = performance.now();
  const heard = await family.hear(window.spans, audio, onBeat);
  if (!isTrusted(heard, window.spans, language)) return undefined;
  const { words, tokens, logprob } = heard;
  return {
    index: window.index,
    language,
    segments: segmentsOf(words),
    averageLogprob: averageLogprob({ logprob, chosen: tokens.length }),
    tokens: tokens.length,
    retries: [],
    model: family.model,
    computeMs: Math.round(performance.now() - started),
  };
}
