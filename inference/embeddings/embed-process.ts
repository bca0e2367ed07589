import { serveCalls } from "../../process/child-process.ts";
import { SentenceEncoder } from "./encoder.ts";
import type { EmbedCall, EmbedProgress, EmbedResult } from "./protocol.ts";

/** The process that holds the sentence encoder: it loads it once; calls take turns, a window each. */

/** A sign of life at most this often. */
const BEAT_MS = 1_000;

let loaded: { directory: string; encoder: Promise<SentenceEncoder> } | undefined;

serveCalls<EmbedCall, EmbedProgress, EmbedResult>(async ({ directory, threads, texts }, progress, signal) => {
  let last = performance.now();
  const onBeat = () => {
    const now = performance.now();
    if (now - last < BEAT_MS) return;
    last = now;
    progress({ alive: true });
  };
  if (loaded?.directory !== directory) loaded = { directory, encoder: SentenceEncoder.load(directory, threads) };
  const encoder = await loaded.encoder.catch((error: unknown) => {
    loaded = undefined; // the next call tries again
    throw error;
  });
  return { ...(await encoder.embed(texts, { onBeat, signal })), residentBytes: process.memoryUsage.rss() };
});
