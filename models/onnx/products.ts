import type { Graph } from "./graph.ts";
import { ACCURACY_LEVEL, BLOCK, quantizeBlocks, quantizeOutputs } from "./quantize.ts";

/** A weight matrix [outputs, inputs] that is read when the file is written. */
export interface Matrix {
  name: string;
  outputs: number;
  inputs: number;
  read: () => Float32Array;
}

/** x [batch, positions, inputs] · Wᵀ → [batch, positions, outputs], in one of several 8-bit ways. */
export type Product = (graph: Graph, x: string, matrix: Matrix) => string;

/**
 * Blocks of 64 weights with a scale each, and activations likewise: rows of a batch do not influence each other. Best
 * for few rows.
 */
export const blockProduct: Product = (graph, x, { name, outputs, inputs, read }) => {
  const blocks = Math.ceil(inputs / BLOCK);
  const quantized = once(() => quantizeBlocks(read(), outputs, inputs));
  const values = graph.weight(`${name}.blocks`, "u8", [outputs, blocks, BLOCK], () => quantized.first().values);
  const scales = graph.floats(`${name}.scales`, [outputs * blocks], () => quantized.second().scales);
  const attributes = {
    K: BigInt(inputs),
    N: BigInt(outputs),
    bits: 8n,
    block_size: BigInt(BLOCK),
    accuracy_level: ACCURACY_LEVEL,
  };
  return graph.node("MatMulNBits", [x, values, scales], attributes, undefined, "com.microsoft");
};

/** One scale for all activations, found at run time: for a batch of one, whose rows come from the same window. */
export const tensorProduct: Product = (graph, x, matrix) => {
  const { values, scales } = integerWeights(graph, matrix);
  const name = `${graph.nodes.length}_DynamicQuantizeLinear`;
  const [quantized, scale, zero] = [`${name}_y`, `${name}_scale`, `${name}_zero`];
  const outputs = [quantized, scale, zero];
  graph.nodes.push({ name, type: "DynamicQuantizeLinear", domain: "", inputs: [x], outputs, attributes: {} });
  // onnxruntime fuses what follows into one operator.
  const sums = graph.node("Cast", [graph.node("MatMulInteger", [quantized, values, zero])], { to: 1n });
  return graph.node("Mul", [sums, graph.node("Mul", [scale, scales])]);
};

/** A scale for each position's activations, found at run time. */
export const rowProduct: Product = (graph, x, matrix) => {
  const { values, scales } = integerWeights(graph, matrix);
  const rows = graph.node("Reshape", [x, graph.integers(-1, matrix.inputs)]);
  const peaks = graph.node("ReduceMax", [graph.node("Abs", [rows]), graph.integers(1)], { keepdims: 0n });
  const steps = graph.node("Mul", [graph.node("Max", [peaks, graph.float(1e-9)]), graph.float(1 / 127)]);
  const middle = graph.weight("u8_128", "u8", [], () => Uint8Array.of(128));
  const zeros = graph.node("Expand", [middle, graph.node("Shape", [steps])]);
  const quantized = graph.node("QuantizeLinear", [rows, steps, zeros], { axis: 0n });
  const inputs = [quantized, values, graph.float(1), scales, middle];
  const product = graph.node("MatMulIntegerToFloat", inputs, {}, undefined, "com.microsoft");
  const scaled = graph.node("Mul", [product, graph.node("Unsqueeze", [steps, graph.integers(1)])]);
  const outputShape = graph.node("Concat", [leadingDims(graph, x), graph.integers(matrix.outputs)], { axis: 0n });
  return graph.node("Reshape", [scaled, outputShape]);
};

function leadingDims(graph: Graph, x: string): string {
  return graph.node("Shape", [x], { end: -1n });
}

function integerWeights(graph: Graph, { name, outputs, inputs, read }: Matrix): { values: string; scales: string } {
  const quantized = once(() => quantizeOutputs(read(), outputs, inputs));
  return {
    values: graph.weight(`${name}.int8`, "i8", [inputs, outputs], () => quantized.first().values),
    scales: graph.floats(`${name}.scales`, [outputs], () => quantized.second().scales),
  };
}

/** Two weights that come from one computation and are written one after the other; nothing is kept afterwards. */
function once<T>(compute: () => T): { first(): T; second(): T } {
  let pending: T | undefined;
  return {
    first: () => {
      pending = compute();
      return pending;
    },
    second: () => {
      const result = pending ?? compute();
      pending = undefined;
      return result;
    },
  };
}
