import { SAMPLE_RATE, type Span } from "../types.ts";

/** Energy is looked at in steps of 10 ms. */
const HOP = SAMPLE_RATE / 100;
/** A gap in the voice shorter than this is a stop consonant, not a place between words. */
const SHORTEST_GAP = 5;

/**
 * Where in a stretch of audio there is voice, by energy: runs of 10 ms frames above a threshold a twentieth of the way
 * from the quietest frames (10th percentile) to the loud ones (95th), without gaps under 50 ms. Positions are samples
 * of `audio`. Never empty for from < to: audio of one loudness is one run.
 */
export function voicedRuns(audio: Float32Array, from: number, to: number): Span[] {
  const levels = loudness(audio, from, to);
  const sorted = levels.toSorted();
  const quiet = sorted[Math.floor(sorted.length * 0.1)] ?? 0;
  const loud = sorted[Math.floor(sorted.length * 0.95)] ?? 0;
  const threshold = quiet + (loud - quiet) * 0.05;
  const runs: Span[] = [];
  for (const [frame, level] of levels.entries()) {
    if (level < threshold) continue;
    const start = from + frame * HOP;
    const end = Math.min(to, start + HOP);
    const last = runs.at(-1);
    if (last && start - last.end < SHORTEST_GAP * HOP) last.end = end;
    else runs.push({ start, end });
  }
  return runs.length > 0 ? runs : [{ start: from, end: to }];
}

/** Root mean square of each 10 ms. */
function loudness(audio: Float32Array, from: number, to: number): Float32Array {
  const levels = new Float32Array(Math.ceil((to - from) / HOP));
  for (let frame = 0; frame < levels.length; frame++) {
    const start = from + frame * HOP;
    const end = Math.min(to, start + HOP);
    let energy = 0;
    for (let i = start; i < end; i++) energy += (audio[i] as number) ** 2;
    levels[frame] = Math.sqrt(energy / (end - start));
  }
  return levels;
}
