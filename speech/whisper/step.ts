import { Tensor } from "onnxruntime-node";
import { Attention } from "./attention.ts";
import { CrossCache } from "./cross-cache.ts";
import { FRAMES, type WhisperModel } from "./model.ts";
import { SelfCache } from "./self-cache.ts";

/** What one decoder step says of each row. The arrays are overwritten by the next step of the same size. */
export interface StepResult {
  /** [rows, top] token numbers, best first. */
  tokens: BigInt64Array;
  /** [rows, top] natural-log probabilities after the bias. */
  logprobs: Float32Array;
  /** [rows, alignment heads, n, FRAMES] softmax of cross attention; row i of n belongs to input token i. */
  attention: Float32Array;
}

/**
 * Runs step.onnx on preallocated inputs and outputs: a step at batch 1 takes 4 ms, so tensors are made once per shape
 * and only the self attention's, whose length grows, are made anew.
 */
export class Stepper {
  readonly model: WhisperModel;
  readonly cross: CrossCache;
  readonly self: SelfCache;
  readonly #attentions: Attention[] = [];
  readonly #frames = new Map<string, { ids: BigInt64Array; feeds: Feeds; fetches: Fetches; result: StepResult }>();

  /** `windows` whose audio is held, `rows` of text at the most (beams share a window). */
  constructor(model: WhisperModel, { windows, rows }: { windows: number; rows: number }) {
    this.model = model;
    this.cross = new CrossCache(model, windows);
    this.self = new SelfCache(model.shape, rows);
  }

  /** Row `row`'s attention, emptied: it is good until the row is decoded again. */
  attention(row: number, frames: number): Attention {
    let attention = this.#attentions[row];
    if (!attention) {
      attention = new Attention(this.model.shape.alignmentHeads, frames);
      this.#attentions[row] = attention;
    }
    attention.clear(frames);
    return attention;
  }

  /**
   * Feeds `ids` ([rows, n] flat). `heard` is the cross cache's rows; one row serves any number of decoder rows, which
   * is how beams share a window. `bias` is [1, vocabulary] or [rows, vocabulary].
   */
  async step(
    ids: readonly number[],
    { rows, bias, top = 1, heard }: { rows: number; bias: Tensor; top?: number; heard: Record<string, Tensor> },
  ): Promise<StepResult> {
    const n = ids.length / rows;
    const frame = this.#frame(rows, n, top);
    for (let i = 0; i < ids.length; i++) frame.ids[i] = BigInt(ids[i] as number);
    frame.feeds.bias = bias;
    Object.assign(frame.feeds, heard);
    this.self.bind(rows, n, frame.feeds, frame.fetches);
    await this.model.decoder.run(frame.feeds, frame.fetches);
    this.self.advance(n);
    return frame.result;
  }

  #frame(rows: number, n: number, top: number) {
    const key = `${rows} ${n} ${top}`;
    const known = this.#frames.get(key);
    if (known) return known;
    const heads = this.model.shape.alignmentHeads;
    const ids = new BigInt64Array(rows * n);
    const result: StepResult = {
      tokens: new BigInt64Array(rows * top),
      logprobs: new Float32Array(rows * top),
      attention: new Float32Array(rows * heads * n * FRAMES),
    };
    const frame = {
      ids,
      result,
      feeds: {
        input_ids: new Tensor("int64", ids, [rows, n]),
        top: new Tensor("int64", BigInt64Array.of(BigInt(top)), [1]),
      } as Feeds,
      fetches: {
        tokens: new Tensor("int64", result.tokens, [rows, top]),
        logprobs: new Tensor("float32", result.logprobs, [rows, top]),
        attention: new Tensor("float32", result.attention, [rows, heads, n, FRAMES]),
      } as Fetches,
    };
    // Teacher forcing has a length of its own each time: keep only the shapes that come back.
    if (n <= PROMPT_LENGTH) this.#frames.set(key, frame);
    return frame;
  }
}

const PROMPT_LENGTH = 4;

type Feeds = Record<string, Tensor>;
type Fetches = Record<string, Tensor | null>;
