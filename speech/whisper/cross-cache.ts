import { Tensor } from "onnxruntime-node";
import { SAMPLE_RATE } from "../types.ts";
import { type DecoderShape, FRAMES, type WhisperModel, WINDOW_SAMPLES } from "./model.ts";

/** Whole seconds are encoded, so that the runtime sees 30 lengths and not 1,500. */
const STEP_SAMPLES = SAMPLE_RATE;
/** Silence the encoder hears after the audio's end. With one second it loses its way a little more often (docs/decisions/short-audio.md). */
const SILENCE_SAMPLES = 2 * SAMPLE_RATE;

/**
 * What the decoder attends to: the cross keys and values of a few windows, 37 MB each for Whisper base. The encoder
 * writes straight into a row where a window is full, and the decoder reads the first rows in place.
 */
export class CrossCache {
  readonly #model: WhisperModel;
  readonly #buffers: Buffers[];
  readonly #feeds = new Map<string, Record<string, Tensor>>();
  /** The audio that each row holds, of those that hold any. */
  readonly #heard: (Float32Array | undefined)[];
  /** A sound and then silence, encoded when first needed. */
  #silence: Outputs | undefined;

  constructor(model: WhisperModel, capacity: number) {
    this.#model = model;
    this.#heard = Array.from({ length: capacity });
    this.#buffers = crossNames(model.shape).map(({ name, dims, parts }) => {
      const row = dims.reduce((product, size) => product * size, 1);
      return { name, dims, parts, row, data: new Float32Array(capacity * row) };
    });
  }

  /**
   * Encodes one window of at most 30 s (zero-padded to it) into a row. What a row holds already is not encoded again: a
   * short recording is asked for its language and then for its words, a window that is doubted is heard twice.
   */
  async encode(row: number, audio: Float32Array): Promise<void> {
    const known = this.#heard.findIndex((heard) => heard !== undefined && same(heard, audio));
    if (known === row) return;
    if (known >= 0) return this.move(known, row);
    this.#heard[row] = undefined; // while it is half written, or when the run fails
    const needed = samplesToEncode(audio);
    if (needed < WINDOW_SAMPLES) await this.#encodeShort(row, audio.subarray(0, needed));
    else await this.#encodeFull(row, audio);
    this.#heard[row] = audio.slice();
  }

  async #encodeFull(row: number, audio: Float32Array): Promise<void> {
    const fetches: Record<string, Tensor> = {};
    for (const { name, data, dims, row: size } of this.#buffers) {
      fetches[name] = new Tensor("float32", data.subarray(row * size, (row + 1) * size), [1, ...dims]);
    }
    await this.#run(audio, fetches);
  }

  /**
   * Whisper hears 30 s whatever there is, but what it makes of the silence after a short text is nearly what it makes
   * of any silence there. So only the start is encoded; the rest is that of another window.
   */
  async #encodeShort(row: number, audio: Float32Array): Promise<void> {
    this.#silence ??= await this.#run(soundThenSilence());
    const heard = await this.#run(audio);
    for (const { name, data, parts, row: size } of this.#buffers) {
      const place = data.subarray(row * size, (row + 1) * size);
      place.set(floats(this.#silence, name));
      const source = floats(heard, name);
      const [whole, short] = [size / parts, source.length / parts];
      for (let part = 0; part < parts; part++) {
        place.set(source.subarray(part * short, (part + 1) * short), part * whole);
      }
    }
  }

  #run(audio: Float32Array, fetches?: Record<string, Tensor>): Promise<Outputs> {
    const feeds = { audio: new Tensor("float32", audio, [1, audio.length]) };
    return fetches ? this.#model.encoder.run(feeds, fetches) : this.#model.encoder.run(feeds);
  }

  /** Decoder inputs over `count` rows from `first`. */
  feeds(first: number, count: number): Record<string, Tensor> {
    const key = `${first}+${count}`;
    let feeds = this.#feeds.get(key);
    if (!feeds) {
      feeds = {};
      for (const { name, data, dims, row } of this.#buffers) {
        feeds[name] = new Tensor("float32", data.subarray(first * row, (first + count) * row), [count, ...dims]);
      }
      this.#feeds.set(key, feeds);
    }
    return feeds;
  }

  move(from: number, to: number): void {
    for (const { data, row } of this.#buffers) data.copyWithin(to * row, from * row, (from + 1) * row);
    this.#heard[to] = this.#heard[from];
  }
}

type Outputs = Awaited<ReturnType<WhisperModel["encoder"]["run"]>>;

interface Buffers {
  name: string;
  dims: readonly number[];
  /** Runs of positions in a row, one behind the other. */
  parts: number;
  row: number;
  data: Float32Array;
}

function crossNames({ layers, heads, headDim }: DecoderShape): Pick<Buffers, "name" | "dims" | "parts">[] {
  return Array.from({ length: layers }, (_, layer) => [
    { name: `ck${layer}`, dims: [heads, headDim, FRAMES], parts: heads * headDim },
    { name: `cv${layer}`, dims: [heads, FRAMES, headDim], parts: heads },
  ]).flat();
}

/** Samples from the start that the encoder has to hear, in whole seconds. */
function samplesToEncode(audio: Float32Array): number {
  let end = audio.length;
  while (end > 0 && audio[end - 1] === 0) end--;
  return Math.min(WINDOW_SAMPLES, Math.ceil((end + SILENCE_SAMPLES) / STEP_SAMPLES) * STEP_SAMPLES);
}

/**
 * A second of noise as loud as speech, then silence. Features are floored 80 dB under a window's peak, so silence after
 * a sound is not the silence of an empty window: with that one Spanish prompts were taken for other languages more often.
 */
function soundThenSilence(): Float32Array {
  const audio = new Float32Array(WINDOW_SAMPLES);
  let state = 1;
  for (let i = 0; i < SAMPLE_RATE; i++) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    audio[i] = (state / 2 ** 31 - 0.5) * 0.2;
  }
  return audio;
}

function floats(outputs: Outputs, name: string): Float32Array {
  return outputs[name]?.data as Float32Array;
}

/** Byte by byte: a thousandth of the time of encoding. */
function same(a: Float32Array, b: Float32Array): boolean {
  const bytes = ({ buffer, byteOffset, byteLength }: Float32Array) => Buffer.from(buffer, byteOffset, byteLength);
  return bytes(a).equals(bytes(b));
}
