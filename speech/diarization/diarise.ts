import { SAMPLE_RATE, type Span, type SpeakerTurns } from "../types.ts";
import { agglomerate, type Cluster } from "./linkage.ts";
import { findVoices, localClusters, MOST_CLUSTERS } from "./speakers.ts";
import { SpeakerPath } from "./viterbi.ts";
import type { Voiceprints } from "./voiceprints.ts";
import { WindowSample } from "./window-sample.ts";

/** A silence this long ends a turn, whoever speaks next. */
const TURN_PAUSE = 0.5 * SAMPLE_RATE;
/** When all others together have less than this share, the split is not to be relied on. */
const LOW_MINORITY = 0.1;

/**
 * Who spoke when. `read` answers the voiceprints of each chunk in the order of time and is asked twice: first each
 * chunk becomes a few clusters and these become voices, then every window is given to the voice it is most like. At no
 * time are two chunks' vectors held, so ten hours take the memory of ten minutes. Where voices overlap, the louder one
 * is heard. Deterministic: the order is that of the recording, whenever its parts were made.
 */
export async function diarise(read: () => AsyncIterable<Voiceprints>): Promise<SpeakerTurns> {
  let clusters: Cluster[] = [];
  const sample = new WindowSample();
  for await (const prints of read()) {
    clusters.push(...localClusters(prints));
    sample.add(prints);
    if (clusters.length > MOST_CLUSTERS) clusters = agglomerate(clusters, (left) => left <= MOST_CLUSTERS / 2);
  }
  const voices = findVoices(clusters, sample.rows);
  if (voices.length === 0) return { version: 1, speakers: 0, turns: [], warnings: ["diarization_unavailable"] };
  const directions = voices.map(directionOf);
  const path = new SpeakerPath(voices.length);
  const windows: Span[] = [];
  for await (const { windows: some, vectors, width } of read()) {
    for (const [i, window] of some.entries()) {
      const vector = vectors.subarray(i * width, (i + 1) * width);
      path.add(
        window,
        directions.map((direction) => cosine(direction, vector)),
      );
      windows.push(window);
    }
  }
  return speakerTurns(windows, path.voices());
}

/** Windows and their voices → turns, speakers numbered as they first speak. */
function speakerTurns(windows: readonly Span[], voices: Uint8Array): SpeakerTurns {
  const names = new Map<number, string>();
  const spoken = new Map<string, number>();
  const turns: SpeakerTurns["turns"] = [];
  for (const [i, window] of windows.entries()) {
    const voice = voices[i] as number;
    const speaker = names.get(voice) ?? String(names.size);
    names.set(voice, speaker);
    const last = turns.at(-1);
    // Short phrases are heard with what is around them: what two windows share is halved between them.
    const start = last && window.start < last.end ? Math.floor((window.start + last.end) / 2) : window.start;
    if (last && start < last.end) last.end = start;
    if (start >= window.end) continue;
    spoken.set(speaker, (spoken.get(speaker) ?? 0) + window.end - start);
    if (last?.speaker === speaker && start - last.end < TURN_PAUSE) last.end = window.end;
    else turns.push({ speaker, start, end: window.end });
  }
  return { version: 1, speakers: names.size, turns, warnings: warningsOf([...spoken.values()]) };
}

function warningsOf(samples: readonly number[]): string[] {
  if (samples.length < 2) return ["diarization_single_speaker"];
  const total = samples.reduce((sum, value) => sum + value, 0);
  return 1 - Math.max(...samples) / total < LOW_MINORITY ? ["diarization_low_minority_share"] : [];
}

function directionOf({ sum }: Cluster): Float64Array {
  const length = Math.hypot(...sum) || 1;
  return sum.map((value) => value / length);
}

function cosine(direction: Float64Array, vector: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += (direction[i] as number) * (vector[i] as number);
  return sum;
}
