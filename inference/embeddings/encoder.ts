import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Tokenizer } from "@huggingface/tokenizers";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { type EmbedResult, MOST_TOKENS, TEXT_TOO_LONG } from "./protocol.ts";
import { windows } from "./windows.ts";

/** all-MiniLM-L6-v2 was made for 256 tokens, though it has positions for 512 (sentence_bert_config.json). */
const WINDOW = 256;
const SPECIAL = 2;

/** A sentence encoder (docs/architecture.md, "Models") with its tokenizer. */
export class SentenceEncoder {
  readonly #session: InferenceSession;
  readonly #tokenizer: Tokenizer;

  private constructor(session: InferenceSession, tokenizer: Tokenizer) {
    this.#session = session;
    this.#tokenizer = tokenizer;
  }

  static async load(directory: string, threads: number): Promise<SentenceEncoder> {
    const json = JSON.parse(await readFile(join(directory, "tokenizer.json"), "utf8"));
    // The published file cuts and pads to 128 tokens; we cut into windows and never pad.
    const tokenizer = new Tokenizer({ ...json, truncation: null, padding: null }, {});
    const session = await InferenceSession.create(join(directory, "sentence.onnx"), {
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      extra: { session: { intra_op: { allow_spinning: "0" } } },
    });
    return new SentenceEncoder(session, tokenizer);
  }

  /**
   * Vectors of length 1. Every window is a run of its own, so a text's vector is the same to the bit whatever its
   * neighbours. Texts longer than a window: the mean over the states of all their tokens, as if it were one window.
   * Throws an error named TextTooLong, or the signal's reason; `onBeat` is called after every window.
   */
  async embed(
    texts: readonly string[],
    { onBeat, signal }: { onBeat: () => void; signal: AbortSignal },
  ): Promise<Omit<EmbedResult, "residentBytes">> {
    const all: number[][] = [];
    for (const [index, text] of texts.entries()) {
      const { ids } = this.#tokenizer.encode(text);
      if (ids.length > MOST_TOKENS) {
        const which = texts.length > 1 ? `input ${index}` : "the input";
        throw Object.assign(new Error(`${which} is ${ids.length} tokens, and a text may have ${MOST_TOKENS}`), {
          name: TEXT_TOO_LONG,
        });
      }
      all.push(ids);
      await turn(signal);
    }
    let vectors: Float32Array | undefined;
    let width = 0;
    for (const [index, ids] of all.entries()) {
      const vector = await this.#vector(ids, onBeat, signal);
      width = vector.length;
      vectors ??= new Float32Array(width * all.length);
      vectors.set(vector, index * width);
    }
    return {
      vectors: vectors ?? new Float32Array(0),
      width,
      tokens: all.reduce((sum, ids) => sum + ids.length, 0),
    };
  }

  async #vector(ids: readonly number[], onBeat: () => void, signal: AbortSignal): Promise<Float32Array> {
    const [first, last] = [ids[0] as number, ids.at(-1) as number];
    const words = ids.slice(1, -1);
    let sum: Float64Array | undefined;
    for (const [start, end] of windows(words.length, WINDOW - SPECIAL)) {
      const window = [first, ...words.slice(start, end), last];
      const { mean } = await this.#session.run({
        input_ids: new Tensor("int64", BigInt64Array.from(window, BigInt), [1, window.length]),
      });
      const values = mean?.data as Float32Array;
      sum ??= new Float64Array(values.length);
      for (const [i, value] of values.entries()) sum[i] = (sum[i] as number) + value * window.length;
      onBeat();
      await turn(signal);
    }
    return unit(sum as Float64Array);
  }
}

/** session.run() holds the thread: between two of them messages are heard, and other calls get their turn. */
async function turn(signal: AbortSignal): Promise<void> {
  await nextTurn();
  signal.throwIfAborted();
}

function unit(values: Float64Array): Float32Array {
  let squares = 0;
  for (const value of values) squares += value * value;
  const length = Math.sqrt(squares) || 1;
  return Float32Array.from(values, (value) => value / length);
}
