import { Graph } from "../onnx/graph.ts";
import { blockProduct } from "../onnx/products.ts";
import { Layers } from "./layers.ts";
import type { WhisperConfig, WhisperGeneration, WhisperWeights } from "./weights.ts";

/** Added to a logit to rule its token out: finite, so that nothing becomes NaN when a caller adds its own. */
const NEVER = -1e9;

/**
 * New tokens and the past → the best next tokens (docs/architecture.md, "Models"). Everything that reads all 51,865
 * logits happens in here: a row of them never reaches JavaScript. No `If`: the cross keys and values are inputs.
 */
export function buildStepGraph(config: WhisperConfig, generation: WhisperGeneration, weights: WhisperWeights): Graph {
  const graph = new Graph("whisper-step");
  const { d_model: width, vocab_size: vocabulary, decoder_layers: depth } = config;
  const layers = new Layers(graph, weights, width, config.decoder_attention_heads, {
    linear: blockProduct,
    afterGelu: blockProduct,
  });
  const { heads, headWidth } = layers;

  graph.input("input_ids", "i64", ["b", "n"]);
  graph.input("bias", "f32", ["bias_rows", vocabulary]);
  graph.input("top", "i64", [1]);
  for (let layer = 0; layer < depth; layer++) {
    for (const kind of ["k", "v"]) graph.input(`p${kind}${layer}`, "f32", ["b", heads, "past", headWidth]);
    graph.input(`ck${layer}`, "f32", ["windows", heads, headWidth, config.max_source_positions]);
    graph.input(`cv${layer}`, "f32", ["windows", heads, config.max_source_positions, headWidth]);
  }

  const { positions, mask } = placesAndMask(graph);
  let x = graph.node("Add", [embedding(layers, vocabulary), positionTable(layers, config, positions)]);
  const windows = windowShapes(layers);
  const seen: string[] = [];
  for (let layer = 0; layer < depth; layer++) {
    const name = `model.decoder.layers.${layer}`;
    x = graph.node("Add", [x, selfAttention(layers, x, name, layer, mask)]);
    const cross = crossAttention(layers, x, name, layer, windows);
    seen.push(cross.probabilities);
    x = graph.node("Add", [x, cross.output]);
    x = layers.feedForward(x, name, config.decoder_ffn_dim);
  }
  alignment(layers, seen, generation.alignment_heads, config.max_source_positions);
  graph.output("attention", "f32", ["b", generation.alignment_heads.length, "n", config.max_source_positions]);
  best(layers, x, vocabulary, generation.suppress_tokens);
  for (let layer = 0; layer < depth; layer++) {
    for (const kind of ["k", "v"]) graph.output(`n${kind}${layer}`, "f32", ["b", heads, "total", headWidth]);
  }
  return graph;
}

/** Positions [n] of the new tokens, and the causal mask [n, past + n]: 0 where a token may look, NEVER elsewhere. */
function placesAndMask(graph: Graph): { positions: string; mask: string } {
  const length = (value: string, axis: number) =>
    graph.node("Gather", [graph.node("Shape", [value]), graph.integer(axis)]);
  const past = length("pk0", 2);
  const total = graph.node("Add", [past, length("input_ids", 1)]);
  const range = (from: string) => graph.node("Range", [from, total, graph.integer(1)]);
  const positions = range(past);
  const columns = graph.node("Unsqueeze", [range(graph.integer(0)), graph.integers(0)]);
  const rows = graph.node("Unsqueeze", [positions, graph.integers(1)]);
  const visible = graph.node("LessOrEqual", [columns, rows]);
  return { positions, mask: graph.node("Where", [visible, graph.float(0), graph.float(NEVER)]) };
}

/** The look-up table stays 16-bit, as Whisper was published; only the rows looked up become 32-bit. */
function embedding({ graph, weights, width }: Layers, vocabulary: number): string {
  const name = "model.decoder.embed_tokens.weight";
  const table = graph.weight(
    name,
    "f16",
    [vocabulary, width],
    () => new Float16Array(weights.read(name, [vocabulary, width])),
  );
  return graph.node("Cast", [graph.node("Gather", [table, "input_ids"])], { to: 1n });
}

function positionTable({ graph, weights, width }: Layers, config: WhisperConfig, positions: string): string {
  const name = "model.decoder.embed_positions.weight";
  const dims = [config.max_target_positions, width];
  return graph.node("Gather", [graph.floats(name, dims, () => weights.read(name, dims)), positions]);
}

function selfAttention(layers: Layers, x: string, layer: string, index: number, mask: string): string {
  const { graph, width } = layers;
  const name = `${layer}.self_attn`;
  const kinds = ["query", "key", "value"] as const;
  const projections = kinds.map((kind) => layers.projection(name, kind));
  const all = layers.linear(layers.norm(x, `${name}_layer_norm`), projections, width);
  const [q, k, v] = graph.split(all, [width, width, width]) as [string, string, string];
  const keys = graph.node("Concat", [`pk${index}`, layers.toHeads(k)], { axis: 2n }, `nk${index}`);
  const values = graph.node("Concat", [`pv${index}`, layers.toHeads(v)], { axis: 2n }, `nv${index}`);
  const turned = graph.node("Transpose", [keys], { perm: [0n, 1n, 3n, 2n] });
  const scores = graph.node("Add", [graph.node("MatMul", [layers.toHeads(q), turned]), mask]);
  const context = graph.node("MatMul", [graph.node("Softmax", [scores], { axis: -1n }), values]);
  return layers.linear(layers.fromHeads(context), [layers.projection(name, "out")], width);
}

/** Shapes that share a window's keys and values among its rows: [windows, positions of its rows, …] and back. */
interface WindowShapes {
  heads: string;
  rows: string;
}

function windowShapes({ graph, heads, headWidth, width }: Layers): WindowShapes {
  return {
    heads: shape(graph, [dimension(graph, "ck0", 0), graph.integers(-1, heads, headWidth)]),
    rows: shape(graph, [dimension(graph, "input_ids", 0), graph.integers(-1, width)]),
  };
}

/**
 * Beams read one window: its 37 MB of keys and values are read once a step, not once a beam, by laying the rows of a
 * window side by side as positions. With a window a row nothing changes.
 */
function crossAttention(layers: Layers, x: string, layer: string, index: number, windows: WindowShapes) {
  const { graph, width } = layers;
  const name = `${layer}.encoder_attn`;
  const q = layers.linear(layers.norm(x, `${name}_layer_norm`), [layers.projection(name, "query")], width);
  const swap = { perm: [0n, 2n, 1n, 3n] };
  const queries = graph.node("Transpose", [graph.node("Reshape", [q, windows.heads])], swap);
  const scores = graph.node("MatMul", [queries, `ck${index}`]);
  const probabilities = graph.node("Softmax", [scores], { axis: -1n });
  const heard = graph.node("Transpose", [graph.node("MatMul", [probabilities, `cv${index}`])], swap);
  const context = graph.node("Reshape", [heard, windows.rows]);
  return { probabilities, output: layers.linear(context, [layers.projection(name, "out")], width) };
}

/** The heads whose cross attention follows time, in the order of generation_config.json: [b, heads, n, frames]. */
function alignment(
  { graph }: Layers,
  probabilities: readonly string[],
  heads: readonly [number, number][],
  frames: number,
): void {
  const picked = heads.map(([layer, head]) =>
    graph.node("Gather", [probabilities[layer] as string, graph.integers(head)], { axis: 1n }),
  );
  const byWindow = graph.node("Concat", picked, { axis: 1n });
  const [windows, rows, positions] = [
    dimension(graph, "ck0", 0),
    dimension(graph, "input_ids", 0),
    dimension(graph, "input_ids", 1),
  ];
  const apart = shape(graph, [windows, graph.integers(heads.length, -1), positions, graph.integers(frames)]);
  const byRow = graph.node("Transpose", [graph.node("Reshape", [byWindow, apart])], { perm: [0n, 2n, 1n, 3n, 4n] });
  graph.node("Reshape", [byRow, shape(graph, [rows, graph.integers(heads.length, -1, frames)])], {}, "attention");
}

function dimension(graph: Graph, value: string, axis: number): string {
  return graph.node("Gather", [graph.node("Shape", [value]), graph.integers(axis)]);
}

function shape(graph: Graph, parts: readonly string[]): string {
  return graph.node("Concat", [...parts], { axis: 0n });
}

/** Logits of the last position → `tokens` and `logprobs` [b, top], best first. */
function best(layers: Layers, x: string, vocabulary: number, suppressed: readonly number[]): void {
  const { graph } = layers;
  const last = graph.node("Gather", [x, graph.integer(-1)], { axis: 1n });
  const logits = layers.tiedProjection(
    layers.norm(last, "model.decoder.layer_norm"),
    "model.decoder.embed_tokens",
    vocabulary,
  );
  const ruledOut = graph.floats("suppressed", [vocabulary], () => {
    const row = new Float32Array(vocabulary);
    for (const token of suppressed) row[token] = NEVER;
    return row;
  });
  const biased = graph.node("Add", [graph.node("Add", [logits, ruledOut]), "bias"]);
  const sum = graph.node("ReduceLogSumExp", [biased, graph.integers(1)], { keepdims: 1n });
  const values = "best_logits";
  graph.nodes.push({
    name: "best",
    type: "TopK",
    domain: "",
    inputs: [biased, "top"],
    outputs: [values, "tokens"],
    attributes: { axis: -1n, largest: 1n, sorted: 1n },
  });
  graph.node("Sub", [values, sum], {}, "logprobs");
  graph.output("tokens", "i64", ["b", "top"]);
  graph.output("logprobs", "f32", ["b", "top"]);
}
