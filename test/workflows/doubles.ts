import { writeFile } from "node:fs/promises";
import type { CallOptions, Engine, OnWindow } from "../../speech/engine/engine.ts";
import type { prepareAudio } from "../../speech/prepare.ts";
import type { Plan, Window, WindowResult } from "../../speech/types.ts";
import { SAMPLE_RATE } from "../../speech/types.ts";

/** Marks every word that a double "hears", so that a test can search for it where it must not be. */
export const SPOKEN = "quelonio";

/** A plan of `chunks` × `windows` without a recording behind it: the audio is silence of the right length. */
export function preparing(chunks: number, windows: number, changes: Partial<Plan> = {}): typeof prepareAudio {
  return async ({ pcm, onProgress }) => {
    onProgress?.({ stage: "decode", seconds: 1 });
    const plan = planOf(chunks, windows, changes);
    await writeFile(pcm, Buffer.alloc(plan.samples * 2));
    return plan;
  };
}

const WINDOW = 2 * SAMPLE_RATE;

export function planOf(chunks: number, windows: number, changes: Partial<Plan> = {}): Plan {
  const samples = chunks * windows * WINDOW;
  return {
    version: 1,
    sampleRate: SAMPLE_RATE,
    channels: 1,
    stereo: false,
    warnings: [],
    samples: Math.max(samples, SAMPLE_RATE),
    durationMs: Math.max(samples, SAMPLE_RATE) / 16,
    speechMs: samples / 16,
    chunks: Array.from({ length: chunks }, (_, index) => ({
      index,
      start: index * windows * WINDOW,
      end: (index + 1) * windows * WINDOW,
      windows: Array.from({ length: windows }, (_, w) => {
        const start = (index * windows + w) * WINDOW;
        return { index: index * windows + w, spans: [{ start, end: start + WINDOW }] };
      }),
    })),
    ...changes,
  };
}

/** Hears one marked word a window, or what `words` says. `before` runs ahead of each window and may wait or throw as a crash would. */
export class DoubleEngine implements Engine {
  readonly pid = undefined;
  readonly heard: number[] = [];
  /** Windows of each call. */
  readonly calls: number[][] = [];
  /** Vocabulary of each call. */
  readonly vocabularies: (readonly string[] | undefined)[] = [];
  readonly #before: (window: Window, options: CallOptions) => Promise<void>;
  readonly #voices: (window: Window) => Uint8Array | undefined;
  /** What each window says of the vocabulary (`WindowResult.terms`); absent as from an engine that knows of none. */
  readonly #terms: { terms?: number | null };
  readonly #words: (window: Window) => string;

  constructor(
    before: (window: Window, options: CallOptions) => Promise<void> = async () => undefined,
    voices: (window: Window) => Uint8Array | undefined = () => undefined,
    terms: { terms?: number | null } = {},
    words: (window: Window) => string = ({ index }) => `${SPOKEN}${index}.`,
  ) {
    this.#before = before;
    this.#voices = voices;
    this.#terms = terms;
    this.#words = words;
  }

  async identify() {
    return { language: "es", confidence: 0.9, warnings: [] };
  }

  async recognise(
    {
      windows,
      language,
      vocabulary,
    }: { windows: readonly Window[]; language: string; vocabulary?: readonly string[] | undefined },
    options: CallOptions & { onWindow: OnWindow },
  ): Promise<void> {
    this.calls.push(windows.map(({ index }) => index));
    this.vocabularies.push(vocabulary);
    for (const window of windows) {
      await this.#before(window, options);
      options.signal?.throwIfAborted();
      this.heard.push(window.index);
      options.onWindow({ ...heard(window, language, this.#words(window)), ...this.#terms }, this.#voices(window));
      options.onProgress?.();
    }
  }

  async close(): Promise<void> {}
}

function heard({ index, spans }: Window, language: string, text: string): WindowResult {
  const start = (spans[0]?.start ?? 0) / SAMPLE_RATE;
  const end = start + 0.5;
  const all = text.split(" ");
  const words = all.map((word, i) => ({
    text: word,
    start: start + (0.5 * i) / all.length,
    end: start + (0.5 * (i + 1)) / all.length,
  }));
  return {
    index,
    language,
    segments: [{ text, start, end, words }],
    averageLogprob: -0.1,
    tokens: 3,
    retries: [],
    computeMs: 1,
  };
}
