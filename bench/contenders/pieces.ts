import { readWav } from "../../eval/audio/wav.ts";

/** Where speech is in a file: windows of at most 30 s, and in each the spans [start, end) of samples. */
export type Windows = [number, number][][];

/** The audio of one window: its spans, and their samples in [-1, 1), end to end. */
export interface Piece {
  spans: { start: number; end: number }[];
  audio: Float32Array<ArrayBuffer>;
}

/** Reads a 16 kHz WAV file and takes out what is to be heard. */
export async function readPieces(file: string, windows: Windows): Promise<Piece[]> {
  const { samples } = await readWav(file);
  return windows.map((pairs) => {
    const spans = pairs.map(([start, end]) => ({ start, end }));
    const audio = new Float32Array(spans.reduce((sum, { start, end }) => sum + end - start, 0));
    let at = 0;
    for (const { start, end } of spans) {
      for (let i = start; i < end; i++) audio[at++] = (samples[i] as number) / 32_768;
    }
    return { spans, audio };
  });
}
