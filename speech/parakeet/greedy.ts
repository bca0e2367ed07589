import { Tensor } from "onnxruntime-node";
import type { ParakeetModel } from "./model.ts";

/** One text and where its tokens were heard. */
export interface Transduced {
  tokens: number[];
  /** Encoder frame at which each token was emitted, ascending. */
  frames: number[];
  /** Sum of natural-log probabilities of the tokens, among the pieces. */
  logprob: number;
}

/** Tokens that one frame may emit (NeMo's `max_symbols`): a guard against a frame that never lets go. */
const MOST_A_FRAME = 10;

/**
 * Greedy decoding of a token-and-duration transducer: each step names the likeliest token and how many frames to go on
 * (Xu et al., "Efficient Sequence Transduction by Jointly Predicting Tokens and Durations", arXiv:2304.06795,
 * algorithm 2). `encoded` is the encoder's [width, frames], of which the first `length` frames hold audio. The
 * durations of a TDT model are 0, 1, 2, 3 and 4 frames, in that order. `onStep` is called at every step.
 */
export async function transduce(
  model: ParakeetModel,
  { data, width, frames, length }: { data: Float32Array; width: number; frames: number; length: number },
  onStep: () => void,
): Promise<Transduced> {
  const { size, blank } = model.vocabulary;
  const heard = new Tensor("float32", new Float32Array(width), [1, width, 1]);
  const target = new Tensor("int32", Int32Array.of(blank), [1, 1]);
  const feeds: Record<string, Tensor> = {
    encoder_outputs: heard,
    targets: target,
    target_length: new Tensor("int32", Int32Array.of(1), [1]),
    input_states_1: zeros(model.states[0]),
    input_states_2: zeros(model.states[1]),
  };
  const result: Transduced = { tokens: [], frames: [], logprob: 0 };
  let emitted = 0;
  for (let frame = 0; frame < length; ) {
    for (let i = 0; i < width; i++) (heard.data as Float32Array)[i] = data[i * frames + frame] as number;
    const step = await model.joint.run(feeds);
    onStep();
    const scores = (step.outputs as Tensor).data as Float32Array;
    const token = likeliest(scores, 0, size);
    let duration = likeliest(scores, size, scores.length) - size;
    if (token !== blank) {
      result.tokens.push(token);
      result.frames.push(frame);
      result.logprob += logSoftmax(scores, size, token);
      // The prediction network goes on only with what was said.
      (target.data as Int32Array)[0] = token;
      feeds.input_states_1 = step.output_states_1 as Tensor;
      feeds.input_states_2 = step.output_states_2 as Tensor;
      emitted += 1;
    }
    if (duration === 0 && (token === blank || emitted >= MOST_A_FRAME)) duration = 1;
    if (duration > 0) emitted = 0;
    frame += duration;
  }
  return result;
}

function zeros(shape: readonly number[]): Tensor {
  return new Tensor("float32", new Float32Array(shape.reduce((product, size) => product * size, 1)), [...shape]);
}

function likeliest(scores: Float32Array, from: number, to: number): number {
  let best = from;
  for (let i = from + 1; i < to; i++) if ((scores[i] as number) > (scores[best] as number)) best = i;
  return best;
}

/** Natural-log probability of one of the first `size` scores. */
function logSoftmax(scores: Float32Array, size: number, at: number): number {
  let most = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < size; i++) most = Math.max(most, scores[i] as number);
  let sum = 0;
  for (let i = 0; i < size; i++) sum += Math.exp((scores[i] as number) - most);
  return (scores[at] as number) - most - Math.log(sum);
}
