import type { Weights } from "../checkpoint/weights.ts";
import { Graph } from "../onnx/graph.ts";
import { BINS, FRAME, HOP, MELS, melTriangles, spectrumKernels } from "./fbank.ts";
import { Layers } from "./layers.ts";

/** Numbers in an embedding. */
export const WIDTH = 192;

const HEAD_CHANNELS = 32;
const GROWTH = 32;
const BOTTLENECK = 128;
const INITIAL = 128;
/** Layers and dilation of the dense blocks. */
const BLOCKS = [
  { layers: 12, dilation: 1 },
  { layers: 24, dilation: 2 },
  { layers: 16, dilation: 2 },
];

/**
 * The CAM++ speaker encoder (Wang et al., 2023, arXiv 2303.00332; 3D-Speaker's speakerlab/models/campplus) with its
 * features inside: `audio` f32 [b, n] in -1..1, 0.5 to 2 s → `embedding` f32 [b, 192], not normalised. Up to 2 s the
 * published network's pooling in segments of 2 s is the mean of everything, which is what is built here.
 */
export function buildSpeakerGraph(weights: Weights): Graph {
  const graph = new Graph("campplus");
  const layers = new Layers(graph, weights);
  graph.input("audio", "f32", ["b", "n"]);
  let x = head(layers, features(graph, "audio"));
  x = layers.relu(
    layers.conv(x, "xvector.tdnn.linear", [INITIAL, (HEAD_CHANNELS * MELS) / 8, 5], {
      norm: "xvector.tdnn.nonlinear.batchnorm",
      pads: [2, 2],
      strides: [2],
    }),
  );
  let channels = INITIAL;
  for (const [index, block] of BLOCKS.entries()) {
    for (let layer = 1; layer <= block.layers; layer++) {
      const name = `xvector.block${index + 1}.tdnnd${layer}`;
      x = graph.node("Concat", [x, denseLayer(layers, x, name, channels, block.dilation)], { axis: 1n });
      channels += GROWTH;
    }
    const name = `xvector.transit${index + 1}`;
    x = layers.relu(layers.norm(x, `${name}.nonlinear.batchnorm`, channels));
    x = layers.conv(x, `${name}.linear`, [channels / 2, channels, 1]);
    channels /= 2;
  }
  x = layers.relu(layers.norm(x, "xvector.out_nonlinear.batchnorm", channels));
  layers.dense(statistics(graph, x), "xvector.dense", [WIDTH, 2 * channels], "embedding");
  graph.output("embedding", "f32", ["b", WIDTH]);
  return graph;
}

/** [b, n] samples → [b, 1, MELS, frames], each band's mean over the frames taken off. */
function features(graph: Graph, audio: string): string {
  const channel = graph.node("Unsqueeze", [audio, graph.integers(1)]);
  const kernels = graph.floats("fbank.spectrum", [2 * BINS, 1, FRAME], spectrumKernels);
  const waves = graph.node("Conv", [channel, kernels], { strides: [BigInt(HOP)] });
  const squares = graph.node("Mul", [waves, waves]);
  const filters = graph.floats("fbank.triangles", [MELS, 2 * BINS, 1], () => {
    const triangles = melTriangles();
    // Real and imaginary parts of a bin have the same weight, so their sum needs no step of its own.
    const both = new Float32Array(2 * MELS * BINS);
    for (let band = 0; band < MELS; band++) {
      const row = triangles.subarray(band * BINS, (band + 1) * BINS);
      both.set(row, 2 * band * BINS);
      both.set(row, (2 * band + 1) * BINS);
    }
    return both;
  });
  const power = graph.node("Conv", [squares, filters]);
  // The floor of digital silence is far below any recording's noise: samples are 16-bit.
  const log = graph.node("Log", [graph.node("Max", [power, graph.float(1e-10)])]);
  const mean = graph.node("ReduceMean", [log, graph.integers(2)], { keepdims: 1n });
  return graph.node("Unsqueeze", [graph.node("Sub", [log, mean]), graph.integers(1)]);
}

/** The two-dimensional front: [b, 1, MELS, frames] → [b, 320, frames]. */
function head(layers: Layers, x: string): string {
  const { graph } = layers;
  const c = HEAD_CHANNELS;
  let y = layers.relu(layers.conv(x, "head.conv1", [c, 1, 3, 3], { norm: "head.bn1", pads: [1, 1, 1, 1] }));
  for (const stage of ["head.layer1", "head.layer2"]) {
    y = residual(layers, y, `${stage}.0`, 2);
    y = residual(layers, y, `${stage}.1`, 1);
  }
  const last = { norm: "head.bn2", pads: [1, 1, 1, 1], strides: [2, 1] };
  y = layers.relu(layers.conv(y, "head.conv2", [c, c, 3, 3], last));
  return graph.node("Reshape", [y, graph.integers(0, (c * MELS) / 8, -1)]);
}

function residual(layers: Layers, x: string, name: string, stride: number): string {
  const c = HEAD_CHANNELS;
  const first = { norm: `${name}.bn1`, pads: [1, 1, 1, 1], strides: [stride, 1] };
  const y = layers.relu(layers.conv(x, `${name}.conv1`, [c, c, 3, 3], first));
  const z = layers.conv(y, `${name}.conv2`, [c, c, 3, 3], { norm: `${name}.bn2`, pads: [1, 1, 1, 1] });
  const past =
    stride === 1
      ? x
      : layers.conv(x, `${name}.shortcut.0`, [c, c, 1, 1], { norm: `${name}.shortcut.1`, strides: [stride, 1] });
  return layers.relu(layers.graph.node("Add", [z, past]));
}

/** A densely connected layer with its context-aware mask: [b, channels, t] → [b, GROWTH, t]. */
function denseLayer(layers: Layers, x: string, name: string, channels: number, dilation: number): string {
  const { graph } = layers;
  const before = layers.relu(layers.norm(x, `${name}.nonlinear1.batchnorm`, channels));
  const narrow = { norm: `${name}.nonlinear2.batchnorm` };
  const y = layers.relu(layers.conv(before, `${name}.linear1`, [BOTTLENECK, channels, 1], narrow));
  const cam = `${name}.cam_layer`;
  const spread = { pads: [dilation, dilation], dilations: [dilation] };
  const local = layers.conv(y, `${cam}.linear_local`, [GROWTH, BOTTLENECK, 3], spread);
  const mean = graph.node("ReduceMean", [y, graph.integers(2)], { keepdims: 1n });
  const context = graph.node("Mul", [mean, graph.float(2)]);
  const inner = layers.relu(layers.conv(context, `${cam}.linear1`, [BOTTLENECK / 2, BOTTLENECK, 1], { bias: true }));
  const mask = layers.conv(inner, `${cam}.linear2`, [GROWTH, BOTTLENECK / 2, 1], { bias: true });
  return graph.node("Mul", [local, graph.node("Sigmoid", [mask])]);
}

/** [b, c, t] → [b, 2c]: means over time, then unbiased standard deviations. */
function statistics(graph: Graph, x: string): string {
  const axis = graph.integers(2);
  const mean = graph.node("ReduceMean", [x, axis], { keepdims: 1n });
  const apart = graph.node("Sub", [x, mean]);
  const squares = graph.node("ReduceSum", [graph.node("Mul", [apart, apart]), axis], { keepdims: 0n });
  const frames = graph.node("Cast", [graph.node("Shape", [x], { start: 2n, end: 3n })], { to: 1n });
  const degrees = graph.node("Sub", [frames, graph.float(1)]);
  const deviation = graph.node("Sqrt", [graph.node("Div", [squares, degrees])]);
  return graph.node("Concat", [graph.node("Squeeze", [mean, axis]), deviation], { axis: 1n });
}
