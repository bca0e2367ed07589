/**
 * An ONNX graph under construction: nodes in order, weights by name. A weight is a function, called once when the file
 * is written, so that a model larger than memory can be built from a checkpoint on disk.
 */

/** TensorProto.DataType, the ones we write. */
export const DATA_TYPE = { f32: 1, u8: 2, i8: 3, i32: 6, i64: 7, f16: 10 } as const;
export type DataType = keyof typeof DATA_TYPE;
export const BYTES: Record<DataType, number> = { f32: 4, u8: 1, i8: 1, i32: 4, i64: 8, f16: 2 };

/** A dimension is a number, or a name when it is only known at run time. */
export type Dimensions = readonly (number | string)[];

export interface Initializer {
  name: string;
  type: DataType;
  dims: readonly number[];
  /** Little-endian elements, row-major. */
  data: () => ArrayBufferView;
}

/** Integers must be given as bigint, so that `epsilon: 1` cannot silently become an integer attribute. */
export type Attributes = Record<string, number | bigint | string | readonly bigint[]>;

export interface Node {
  name: string;
  type: string;
  domain: string;
  inputs: readonly string[];
  outputs: readonly string[];
  attributes: Attributes;
}

export interface Value {
  name: string;
  type: DataType;
  dims: Dimensions;
}

export class Graph {
  readonly name: string;
  readonly nodes: Node[] = [];
  readonly inputs: Value[] = [];
  readonly outputs: Value[] = [];
  readonly initializers = new Map<string, Initializer>();

  constructor(name: string) {
    this.name = name;
  }

  input(name: string, type: DataType, dims: Dimensions): string {
    this.inputs.push({ name, type, dims });
    return name;
  }

  output(name: string, type: DataType, dims: Dimensions): void {
    this.outputs.push({ name, type, dims });
  }

  /** Adds a weight, or finds the one already there: the same name always means the same data. */
  weight(name: string, type: DataType, dims: readonly number[], data: () => ArrayBufferView): string {
    if (!this.initializers.has(name)) this.initializers.set(name, { name, type, dims, data });
    return name;
  }

  floats(name: string, dims: readonly number[], data: () => Float32Array): string {
    return this.weight(name, "f32", dims, data);
  }

  /** A one-dimensional integer constant, e.g. a shape or a list of axes. */
  integers(...values: number[]): string {
    return this.weight(`i64_${values.join("_")}`, "i64", [values.length], () => BigInt64Array.from(values, BigInt));
  }

  /** An integer without a dimension, as Range and a single-element Gather want it. */
  integer(value: number): string {
    return this.weight(`i64s_${value}`, "i64", [], () => BigInt64Array.of(BigInt(value)));
  }

  /** A number without a dimension. */
  float(value: number): string {
    return this.floats(`f32_${value}`, [], () => Float32Array.of(value));
  }

  /** Adds a node with one output and returns that output's name: `out`, or one made here. */
  node(type: string, inputs: readonly string[], attributes: Attributes = {}, out?: string, domain = ""): string {
    const name = `${this.nodes.length}_${type}`;
    const output = out ?? name;
    this.nodes.push({ name, type, domain, inputs, outputs: [output], attributes });
    return output;
  }

  /** Splits the last axis into parts of the given sizes. */
  split(input: string, sizes: readonly number[]): string[] {
    const name = `${this.nodes.length}_Split`;
    const outputs = sizes.map((_, part) => `${name}_${part}`);
    const inputs = [input, this.integers(...sizes)];
    this.nodes.push({ name, type: "Split", domain: "", inputs, outputs, attributes: { axis: -1n } });
    return outputs;
  }
}

/** Size of all weights together, for progress. */
export function weightBytes(graph: Graph): number {
  let bytes = 0;
  for (const { type, dims } of graph.initializers.values()) bytes += dims.reduce((a, b) => a * b, BYTES[type]);
  return bytes;
}
