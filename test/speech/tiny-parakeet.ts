import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Graph } from "../../models/onnx/graph.ts";
import { writeOnnx } from "../../models/onnx/write.ts";

/**
 * A transducer with Parakeet's files, inputs and outputs that says what its audio tells it to: the first samples of
 * each frame of 80 ms are the scores of that frame, pieces and then durations. The prediction network's first state
 * counts the tokens it was given and adds its count to the score of `echo`.
 */
export const PIECES = ["▁ho", "la", "▁año", "▁echo", "<unk>", "<blk>"];
export const DURATIONS = 5;
const SCORES = PIECES.length + DURATIONS;
const HOP = 160;
const STACKED = 8;
export const TINY_FRAME = HOP * STACKED;

export async function writeTinyParakeet(directory: string): Promise<void> {
  const options = { producer: "test", version: "1" };
  await writeFile(join(directory, "vocab.txt"), PIECES.map((piece, i) => `${piece} ${i}\n`).join(""));
  await writeOnnx(features(), join(directory, "nemo128.onnx"), options);
  await writeOnnx(encoder(), join(directory, "encoder-model.onnx"), options);
  await writeOnnx(joint(), join(directory, "decoder_joint-model.onnx"), options);
}

/** [1, n] → [1, SCORES, n / HOP]: the first samples of every 10 ms. */
function features(): Graph {
  const graph = new Graph("features");
  const waveforms = graph.input("waveforms", "f32", ["b", "n"]);
  const lengths = graph.input("waveforms_lens", "i64", ["b"]);
  const whole = graph.node("Mul", [graph.node("Div", [lengths, graph.integers(HOP)]), graph.integers(HOP)]);
  const cut = graph.node("Slice", [waveforms, graph.integers(0), whole, graph.integers(1)]);
  const rows = graph.node("Reshape", [cut, graph.integers(1, -1, HOP)]);
  const scores = graph.node("Slice", [rows, graph.integers(0), graph.integers(SCORES), graph.integers(2)]);
  graph.node("Transpose", [scores], { perm: [0n, 2n, 1n] }, "features");
  graph.node("Div", [lengths, graph.integers(HOP)], {}, "features_lens");
  graph.output("features", "f32", ["b", SCORES, "t"]);
  graph.output("features_lens", "i64", ["b"]);
  return graph;
}

/** Every eighth of them. */
function encoder(): Graph {
  const graph = new Graph("encoder");
  const signal = graph.input("audio_signal", "f32", ["b", SCORES, "t"]);
  const length = graph.input("length", "i64", ["b"]);
  const bounds = [graph.integers(0), graph.integers(2 ** 31), graph.integers(2), graph.integers(STACKED)];
  graph.node("Slice", [signal, ...bounds], {}, "outputs");
  const rounded = graph.node("Add", [length, graph.integers(STACKED - 1)]);
  graph.node("Div", [rounded, graph.integers(STACKED)], {}, "encoded_lengths");
  graph.output("outputs", "f32", ["b", SCORES, "f"]);
  graph.output("encoded_lengths", "i64", ["b"]);
  return graph;
}

function joint(): Graph {
  const graph = new Graph("joint");
  const frame = graph.input("encoder_outputs", "f32", ["b", SCORES, "f"]);
  const targets = graph.input("targets", "i32", ["b", "u"]);
  const length = graph.input("target_length", "i32", ["b"]);
  const states = [1, 2].map((i) => graph.input(`input_states_${i}`, "f32", [1, "b", 1]));
  const scores = graph.node("Reshape", [frame, graph.integers(1, 1, 1, SCORES)]);
  const echo = graph.floats("echo", [1, 1, 1, SCORES], () =>
    Float32Array.from({ length: SCORES }, (_, i) => (PIECES[i] === "▁echo" ? 1 : 0)),
  );
  const count = graph.node("Reshape", [states[0] as string, graph.integers(1, 1, 1, 1)]);
  graph.node("Add", [scores, graph.node("Mul", [echo, count])], {}, "outputs");
  graph.node("Identity", [length], {}, "prednet_lengths");
  graph.node(
    "Add",
    [states[0] as string, graph.floats("one", [1, 1, 1], () => Float32Array.of(1))],
    {},
    "output_states_1",
  );
  const target = graph.node("Reshape", [graph.node("Cast", [targets], { to: 1n }), graph.integers(1, 1, 1)]);
  graph.node("Add", [graph.node("Mul", [states[1] as string, graph.float(0)]), target], {}, "output_states_2");
  graph.output("outputs", "f32", ["b", 1, 1, SCORES]);
  graph.output("prednet_lengths", "i32", ["b"]);
  graph.output("output_states_1", "f32", [1, "b", 1]);
  graph.output("output_states_2", "f32", [1, "b", 1]);
  return graph;
}

/** Audio whose frame `i` scores `frames[i]`: a piece and a duration, with 5 over everything else. */
export function saying(frames: readonly (readonly [piece: string, duration: number])[]): Float32Array {
  const audio = new Float32Array(frames.length * TINY_FRAME);
  for (const [at, [piece, duration]] of frames.entries()) {
    audio[at * TINY_FRAME + PIECES.indexOf(piece)] = 5;
    audio[at * TINY_FRAME + PIECES.length + duration] = 5;
  }
  return audio;
}
