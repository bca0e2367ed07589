import type { Tensor } from "onnxruntime-node";
import { PATH_FRAME } from "../alignment/attention-path.ts";
import { spokenSamples } from "../spans.ts";
import { SAMPLE_RATE, type Span } from "../types.ts";
import { type Attempt, attempt } from "./attempt.ts";
import { BEAMS } from "./beam.ts";
import { firstTextBias, textBias } from "./bias.ts";
import { type Decoded, decodeGreedily } from "./greedy.ts";
import { type WhisperModel, WINDOW_SAMPLES } from "./model.ts";
import { prompt, tokenLimit } from "./prompt.ts";
import { Stepper } from "./step.ts";

/** Fills `audio` (30 s) with the spans' samples, end to end, then zeros. */
export type ReadAudio = (spans: readonly Span[], audio: Float32Array) => Promise<void>;

/** One recording being heard: its language, its samples and a sign of life. */
export interface Hearing {
  /** ISO 639-1. */
  language: string;
  read: ReadAudio;
  /** Called many times a second while work goes on. */
  onBeat: () => void;
}

/**
 * The rows of a batch: what each hears, and decoding them. Holds the buffers of one batch (about 60 MB a window) for as
 * long as it lives, so a ten-hour recording takes the memory of a short one.
 */
export class Listener {
  readonly model: WhisperModel;
  readonly stepper: Stepper;
  readonly #audio: Float32Array[];
  readonly #firstBias: Tensor;
  readonly #restBias: Tensor;

  constructor(model: WhisperModel, batch: number) {
    this.model = model;
    this.stepper = new Stepper(model, { windows: batch, rows: Math.max(batch, BEAMS) });
    this.#audio = Array.from({ length: batch }, () => new Float32Array(WINDOW_SAMPLES));
    this.#firstBias = firstTextBias(model);
    this.#restBias = textBias(model);
  }

  /** Reads spans and encodes them into a row. */
  async hear(spans: readonly Span[], hearing: Hearing, row = 0): Promise<void> {
    await hearing.read(spans, this.audio(row));
    await this.encode(row, hearing);
  }

  /** Encodes what was read into `audio(row)`. */
  async encode(row: number, { onBeat }: Pick<Hearing, "onBeat">): Promise<void> {
    await this.stepper.cross.encode(row, this.audio(row));
    onBeat();
  }

  /** What a row heard last. */
  audio(row: number): Float32Array {
    return this.#audio[row] as Float32Array;
  }

  /** Decodes rows 0 … side by side; `onRow` is called as soon as one ends. */
  greedy(
    rows: readonly { spans: readonly Span[]; language: string }[],
    { onBeat }: Pick<Hearing, "onBeat">,
    onRow: (row: number, attempt: Attempt) => void,
  ): Promise<void> {
    return decodeGreedily(
      this.stepper,
      rows.map(({ spans, language }) => ({
        ...this.bounds(spans),
        prompt: prompt(this.model, language, { timestamps: false }),
      })),
      {
        first: this.#firstBias,
        rest: this.#restBias,
        onRow: (row, decoded) => {
          const { spans, language } = rows[row] as (typeof rows)[number];
          onRow(row, this.judge(decoded, spans, language, row));
        },
        onStep: onBeat,
      },
    );
  }

  judge(decoded: Decoded, spans: readonly Span[], language: string, row = 0): Attempt {
    const { vocabulary } = this.model;
    return attempt(decoded, { vocabulary, language, spans, audio: this.audio(row) });
  }

  bounds(spans: readonly Span[]): { frames: number; limit: number } {
    const samples = spokenSamples(spans);
    return {
      frames: Math.max(1, Math.ceil(samples / PATH_FRAME)),
      limit: tokenLimit(this.model, samples / SAMPLE_RATE),
    };
  }
}
