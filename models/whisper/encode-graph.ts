import { Graph } from "../onnx/graph.ts";
import { rowProduct, tensorProduct } from "../onnx/products.ts";
import { Layers } from "./layers.ts";
import { BINS, FFT_SIZE, fourierKernels, HOP, melFilters } from "./mel.ts";
import type { WhisperConfig, WhisperWeights } from "./weights.ts";

/**
 * 1,500 positions are enough work for the integer kernels of a whole tensor: half the time of MatMulNBits, which is no
 * faster than 32-bit floats here. What comes out of Gelu differs most from position to position; a scale of its own for
 * each takes the error of keys and values from 12 to 7 % at no cost.
 */
const PRODUCTS = { linear: tensorProduct, afterGelu: rowProduct };

/**
 * Audio of one window → keys and values of the decoder's cross attention (docs/architecture.md, "Models"). They depend
 * on the window alone, so they are computed once and not at every token; keys are stored transposed, the way the
 * product with the queries reads them.
 */
export function buildEncodeGraph(config: WhisperConfig, weights: WhisperWeights): Graph {
  const graph = new Graph("whisper-encode");
  const { d_model: width, encoder_attention_heads: heads, max_source_positions: positions } = config;
  const layers = new Layers(graph, weights, width, heads, PRODUCTS);

  graph.input("audio", "f32", [1, "samples"]);
  let x = logMel(graph, "audio", config.num_mel_bins);
  x = convolve(layers, x, "model.encoder.conv1", config.num_mel_bins, 1);
  x = convolve(layers, x, "model.encoder.conv2", width, 2);
  const place = "model.encoder.embed_positions.weight";
  const table = graph.floats(place, [positions, width], () => weights.read(place, [positions, width]));
  x = graph.node("Transpose", [x], { perm: [0n, 2n, 1n] });
  const length = graph.node("Shape", [x], { start: 1n, end: 2n });
  x = graph.node("Add", [x, graph.node("Slice", [table, graph.integers(0), length, graph.integers(0)])]);
  for (let layer = 0; layer < config.encoder_layers; layer++) {
    const name = `model.encoder.layers.${layer}`;
    x = graph.node("Add", [x, selfAttention(layers, x, name)]);
    x = layers.feedForward(x, name, config.encoder_ffn_dim);
  }
  x = layers.norm(x, "model.encoder.layer_norm");

  const cross = new Layers(graph, weights, width, config.decoder_attention_heads, PRODUCTS);
  for (let layer = 0; layer < config.decoder_layers; layer++) {
    const name = `model.decoder.layers.${layer}.encoder_attn`;
    const both = cross.linear(x, [cross.projection(name, "key"), cross.projection(name, "value")], width);
    const [keys, values] = graph.split(both, [width, width]) as [string, string];
    cross.toHeads(keys, [0n, 2n, 3n, 1n], `ck${layer}`);
    cross.toHeads(values, [0n, 2n, 1n, 3n], `cv${layer}`);
    graph.output(`ck${layer}`, "f32", [1, cross.heads, cross.headWidth, "positions"]);
    graph.output(`cv${layer}`, "f32", [1, cross.heads, "positions", cross.headWidth]);
  }
  return graph;
}

/** Whisper's features [1, mels, frames] of audio [1, frames * HOP] in -1..1 (openai/whisper, audio.py). */
export function logMel(graph: Graph, audio: string, mels: number): string {
  // torch.stft centres each frame: half a window is mirrored before the start and after the end. Whisper drops the
  // last frame, so only what the frame before still reaches is mirrored at the end.
  const padding = graph.integers(0, FFT_SIZE / 2, 0, FFT_SIZE / 2 - HOP);
  const padded = graph.node("Pad", [audio, padding], { mode: "reflect" });
  const channel = graph.node("Unsqueeze", [padded, graph.integers(1)]);
  const kernels = graph.floats("mel.fourier", [2 * BINS, 1, FFT_SIZE], fourierKernels);
  const waves = graph.node("Conv", [channel, kernels], { strides: [BigInt(HOP)] });
  const squares = graph.node("Mul", [waves, waves]);
  const halves = `${graph.nodes.length}_Split`;
  graph.nodes.push({
    name: halves,
    type: "Split",
    domain: "",
    inputs: [squares, graph.integers(BINS, BINS)],
    outputs: [`${halves}_real`, `${halves}_imaginary`],
    attributes: { axis: 1n },
  });
  const power = graph.node("Add", [`${halves}_real`, `${halves}_imaginary`]);
  const filters = graph.floats("mel.filters", [mels, BINS], () => melFilters(mels));
  const energy = graph.node("Max", [graph.node("MatMul", [filters, power]), graph.float(1e-10)]);
  const log10 = graph.node("Mul", [graph.node("Log", [energy]), graph.float(Math.LOG10E)]);
  // 80 dB below the window's peak is the floor.
  const peak = graph.node("ReduceMax", [log10, graph.integers(1, 2)], { keepdims: 1n });
  const floored = graph.node("Max", [log10, graph.node("Sub", [peak, graph.float(8)])]);
  return graph.node("Mul", [graph.node("Add", [floored, graph.float(4)]), graph.float(0.25)]);
}

function convolve(layers: Layers, x: string, name: string, channels: number, stride: number): string {
  const { graph, weights, width } = layers;
  const dims = [width, channels, 3];
  const kernel = graph.floats(`${name}.weight`, dims, () => weights.read(`${name}.weight`, dims));
  const bias = graph.floats(`${name}.bias`, [width], () => weights.read(`${name}.bias`, [width]));
  return graph.node("Gelu", [graph.node("Conv", [x, kernel, bias], { pads: [1n, 1n], strides: [BigInt(stride)] })]);
}

function selfAttention(layers: Layers, x: string, layer: string): string {
  const { graph, width } = layers;
  const name = `${layer}.self_attn`;
  const kinds = ["query", "key", "value"] as const;
  const projections = kinds.map((kind) => layers.projection(name, kind));
  const all = layers.linear(layers.norm(x, `${name}_layer_norm`), projections, width);
  const [q, k, v] = graph.split(all, [width, width, width]) as [string, string, string];
  // onnxruntime's own operator works in tiles and never holds the 1,500 × 1,500 scores of a head.
  const attributes = { num_heads: BigInt(layers.heads), scale: 1 };
  const context = graph.node("MultiHeadAttention", [q, k, v], attributes, undefined, "com.microsoft");
  return layers.linear(context, [layers.projection(name, "out")], width);
}
