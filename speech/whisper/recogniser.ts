import type { Tensor } from "onnxruntime-node";
import { cutPacked } from "../alignment/packed-time.ts";
import { segmentsOf } from "../alignment/segments.ts";
import { spokenSamples } from "../spans.ts";
import { SAMPLE_RATE, type Span, type Window, type WindowResult } from "../types.ts";
import { type Attempt, attempt, better, joinAttempts } from "./attempt.ts";
import { BEAMS, decodeByBeams } from "./beam.ts";
import { firstTextBias, textBias } from "./bias.ts";
import { type Decoded, decodeGreedily } from "./greedy.ts";
import { averageLogprob, HOPELESS_LOGPROB, UNSURE_LOGPROB } from "./guards.ts";
import { type LanguageScore, scoreLanguages } from "./language-scores.ts";
import { type WhisperModel, WINDOW_SAMPLES } from "./model.ts";
import { longestPause } from "./pause.ts";
import { prompt, tokenLimit } from "./prompt.ts";
import { Stepper } from "./step.ts";
import { decodeWithTimestamps } from "./timestamps.ts";

/** Fills `audio` (30 s) with the spans' samples, end to end, then zeros. */
export type ReadAudio = (spans: readonly Span[], audio: Float32Array) => Promise<void>;

/**
 * Windows of speech to text with word times. Holds the buffers of one batch (about 60 MB a window) for as long as it
 * lives, so a ten-hour recording takes the memory of a short one.
 */
export class Recogniser {
  readonly #model: WhisperModel;
  readonly #batch: number;
  readonly #stepper: Stepper;
  readonly #audio: Float32Array[];
  readonly #firstBias: Tensor;
  readonly #restBias: Tensor;

  /** `batch` windows are decoded side by side. */
  constructor(model: WhisperModel, batch: number) {
    this.#model = model;
    this.#batch = batch;
    this.#stepper = new Stepper(model, { windows: batch, rows: Math.max(batch, BEAMS) });
    this.#audio = Array.from({ length: batch }, () => new Float32Array(WINDOW_SAMPLES));
    this.#firstBias = firstTextBias(model);
    this.#restBias = textBias(model);
  }

  /**
   * Decodes windows in order, `batch` at a time, and reports each as soon as its text stands. `onBeat` is called many
   * times a second while work goes on. Throws UnsupportedLanguage, SpanOutside.
   */
  async recognise(
    windows: readonly Window[],
    {
      language,
      read,
      onWindow,
      onBeat,
    }: { language: string; read: ReadAudio; onWindow: (result: WindowResult) => void; onBeat: () => void },
  ): Promise<void> {
    for (let from = 0; from < windows.length; from += this.#batch) {
      await this.#recogniseBatch(windows.slice(from, from + this.#batch), language, read, onWindow, onBeat);
    }
  }

  /** How likely each language is, best first; see `scoreLanguages`. */
  identify(
    windows: readonly { spans: Span[] }[],
    options: { languages: readonly string[]; read: ReadAudio; onBeat: () => void },
  ): Promise<LanguageScore[]> {
    return scoreLanguages(this.#stepper, windows, options);
  }

  async #recogniseBatch(
    windows: readonly Window[],
    language: string,
    read: ReadAudio,
    onWindow: (result: WindowResult) => void,
    onBeat: () => void,
  ): Promise<void> {
    const started = performance.now();
    for (const [row, window] of windows.entries()) {
      await read(window.spans, this.#audio[row] as Float32Array);
      await this.#stepper.cross.encode(row, this.#audio[row] as Float32Array);
      onBeat();
    }
    const astray: { row: number; first: Attempt }[] = [];
    await this.#greedy(
      windows.map(({ spans }) => spans),
      language,
      onBeat,
      (row, decoded) => {
        const window = windows[row] as Window;
        const first = this.#judge(decoded, window.spans, row, language);
        // A batch's time is shared: this is an even part of what it took up to here.
        const computeMs = (performance.now() - started) / windows.length;
        if (isSure(first)) onWindow(toResult(window, language, first, [], first.generated, computeMs));
        else astray.push({ row, first });
      },
    );
    const shared = (performance.now() - started) / windows.length;
    for (const { row, first } of astray.sort((a, b) => a.row - b.row)) {
      const since = performance.now();
      const window = windows[row] as Window;
      const { best, retries, generated } = await this.#retry(window.spans, language, first, read, onBeat);
      onWindow(toResult(window, language, best, retries, generated, shared + performance.now() - since));
    }
  }

  /**
   * A text that is only unsure goes to the beam at once. One that trips a guard: split, timestamps, beam, until one
   * trips none, else the best of all. Uses row 0.
   */
  async #retry(
    spans: readonly Span[],
    language: string,
    first: Attempt,
    read: ReadAudio,
    onBeat: () => void,
  ): Promise<{ best: Attempt; retries: string[]; generated: number }> {
    const hearAgain = async (decode: typeof decodeByBeams) => {
      await this.#hear(spans, read);
      const decoded = await decode(this.#stepper, { ...this.#row(spans), language, onStep: onBeat });
      return this.#judge(decoded, spans, 0, language);
    };
    const beam: Way = ["beam", () => hearAgain(decodeByBeams)];
    const split: Way = ["split", () => this.#decodeHalves(spans, language, read, onBeat)];
    const timestamps: Way = ["timestamps", () => hearAgain(decodeWithTimestamps)];
    const ways = first.guards.length === 0 ? [beam] : [split, timestamps, beam];
    const retries: string[] = [];
    let best = first;
    let { generated } = first;
    for (const [name, decode] of ways) {
      const next = await decode();
      onBeat();
      retries.push(name);
      generated += next.generated;
      best = better(best, next);
      if (next.guards.length === 0) break;
    }
    // Nobody said this: rather a gap than an invention.
    if (averageLogprob(best) < HOPELESS_LOGPROB) best = { ...best, words: [] };
    return { best, retries, generated };
  }

  async #decodeHalves(spans: readonly Span[], language: string, read: ReadAudio, onBeat: () => void): Promise<Attempt> {
    await read(spans, this.#audio[0] as Float32Array);
    const cut = longestPause(spans, this.#audio[0] as Float32Array);
    const pieces: Attempt[] = [];
    for (const half of [cutPacked(spans, 0, cut), cutPacked(spans, cut, WINDOW_SAMPLES)]) {
      if (half.length === 0) continue;
      await this.#hear(half, read);
      onBeat();
      await this.#greedy([half], language, onBeat, (_, decoded) => {
        pieces.push(this.#judge(decoded, half, 0, language));
      });
    }
    return joinAttempts(pieces);
  }

  /** Reads and encodes into row 0. */
  async #hear(spans: readonly Span[], read: ReadAudio): Promise<void> {
    await read(spans, this.#audio[0] as Float32Array);
    await this.#stepper.cross.encode(0, this.#audio[0] as Float32Array);
  }

  #judge(decoded: Decoded, spans: readonly Span[], row: number, language: string): Attempt {
    const { vocabulary } = this.#model;
    return attempt(decoded, { vocabulary, language, spans, audio: this.#audio[row] as Float32Array });
  }

  #greedy(
    rows: readonly (readonly Span[])[],
    language: string,
    onStep: () => void,
    onRow: (row: number, decoded: Decoded) => void,
  ): Promise<void> {
    return decodeGreedily(
      this.#stepper,
      rows.map((spans) => this.#row(spans)),
      {
        prompt: prompt(this.#model, language, { timestamps: false }),
        first: this.#firstBias,
        rest: this.#restBias,
        onRow,
        onStep,
      },
    );
  }

  #row(spans: readonly Span[]): { frames: number; limit: number } {
    const samples = spokenSamples(spans);
    return { frames: Math.max(1, Math.ceil(samples / 320)), limit: tokenLimit(this.#model, samples / SAMPLE_RATE) };
  }
}

function isSure(first: Attempt): boolean {
  return first.guards.length === 0 && averageLogprob(first) >= UNSURE_LOGPROB;
}

/** A retry by its name in `WindowResult.retries`. */
type Way = [name: string, decode: () => Promise<Attempt>];

function toResult(
  window: Window,
  language: string,
  best: Attempt,
  retries: string[],
  tokens: number,
  computeMs: number,
): WindowResult {
  return {
    index: window.index,
    language,
    segments: segmentsOf(best.words),
    averageLogprob: averageLogprob(best),
    tokens,
    retries,
    computeMs: Math.round(computeMs),
  };
}
