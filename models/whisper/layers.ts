import type { Graph } from "../onnx/graph.ts";
import type { Product } from "../onnx/products.ts";
import type { WhisperWeights } from "./weights.ts";

/** How the layers' matrices are multiplied: in general, and the feed-forward block's second one. */
export interface Products {
  linear: Product;
  afterGelu: Product;
}

/** The pieces Whisper's encoder and decoder share, as ONNX nodes. Activations are [batch, positions, width]. */
export class Layers {
  readonly graph: Graph;
  readonly weights: WhisperWeights;
  readonly width: number;
  readonly heads: number;

  readonly #products: Products;

  constructor(graph: Graph, weights: WhisperWeights, width: number, heads: number, products: Products) {
    this.#products = products;
    this.graph = graph;
    this.weights = weights;
    this.width = width;
    this.heads = heads;
  }

  get headWidth(): number {
    return this.width / this.heads;
  }

  /** Pre-norm: Whisper normalises before each block. epsilon is PyTorch's default. */
  norm(x: string, name: string): string {
    const { graph, weights, width } = this;
    const scale = graph.floats(`${name}.weight`, [width], () => weights.read(`${name}.weight`, [width]));
    const shift = graph.floats(`${name}.bias`, [width], () => weights.read(`${name}.bias`, [width]));
    return graph.node("LayerNormalization", [x, scale, shift], { axis: -1n, epsilon: 1e-5 });
  }

  /** x · Wᵀ + b. Several projections of the same x run as one matrix, their outputs side by side. */
  linear(x: string, projections: readonly Projection[], inputs: number, product = this.#products.linear): string {
    const { graph } = this;
    const outputs = projections.reduce((sum, projection) => sum + projection.outputs, 0);
    const name = projections.map((projection) => projection.name).join("+");
    const read = () => {
      const stacked = new Float32Array(outputs * inputs);
      let row = 0;
      for (const projection of projections) {
        const rows = this.weights.read(`${projection.name}.weight`, [projection.outputs, inputs]);
        if (projection.scale !== undefined) scaleBy(rows, projection.scale);
        stacked.set(rows, row * inputs);
        row += projection.outputs;
      }
      return stacked;
    };
    const y = product(graph, x, { name, outputs, inputs, read });
    const bias = graph.floats(`${name}.bias`, [outputs], () => {
      const stacked = new Float32Array(outputs);
      let row = 0;
      for (const projection of projections) {
        if (projection.bias) {
          const part = this.weights.read(`${projection.name}.bias`, [projection.outputs]);
          if (projection.scale !== undefined) scaleBy(part, projection.scale);
          stacked.set(part, row);
        }
        row += projection.outputs;
      }
      return stacked;
    });
    return graph.node("Add", [y, bias]);
  }

  /** Logits: the token embedding used as a projection, as Whisper ties them. */
  tiedProjection(x: string, name: string, outputs: number): string {
    const inputs = this.width;
    const read = () => this.weights.read(`${name}.weight`, [outputs, inputs]);
    return this.#products.linear(this.graph, x, { name, outputs, inputs, read });
  }

  /** [batch, positions, width] → [batch, heads, positions, headWidth], or positions last with perm [0, 2, 3, 1]. */
  toHeads(x: string, perm: readonly bigint[] = [0n, 2n, 1n, 3n], out?: string): string {
    const { graph, heads, headWidth } = this;
    const split = graph.node("Reshape", [x, graph.integers(0, -1, heads, headWidth)]);
    return graph.node("Transpose", [split], { perm }, out);
  }

  /** [batch, heads, positions, headWidth] → [batch, positions, width] */
  fromHeads(x: string): string {
    const { graph, width } = this;
    return graph.node("Reshape", [
      graph.node("Transpose", [x], { perm: [0n, 2n, 1n, 3n] }),
      graph.integers(0, -1, width),
    ]);
  }

  /** Queries come scaled by headWidth^-½ from their projection, so the product needs no division. */
  projection(name: string, kind: "query" | "key" | "value" | "out"): Projection {
    const scale = kind === "query" ? this.headWidth ** -0.5 : undefined;
    const letter = { query: "q_proj", key: "k_proj", value: "v_proj", out: "out_proj" }[kind];
    return { name: `${name}.${letter}`, outputs: this.width, bias: kind !== "key", scale };
  }

  feedForward(x: string, layer: string, inner: number): string {
    const { graph, width } = this;
    const up = this.linear(this.norm(x, `${layer}.final_layer_norm`), [plain(`${layer}.fc1`, inner)], width);
    const down = this.linear(graph.node("Gelu", [up]), [plain(`${layer}.fc2`, width)], inner, this.#products.afterGelu);
    return graph.node("Add", [x, down]);
  }
}

export interface Projection {
  /** Tensor name without `.weight`. */
  name: string;
  outputs: number;
  bias: boolean;
  /** Multiplies weights and bias. */
  scale?: number | undefined;
}

function plain(name: string, outputs: number): Projection {
  return { name, outputs, bias: true };
}

function scaleBy(values: Float32Array, factor: number): void {
  for (let i = 0; i < values.length; i++) values[i] = (values[i] as number) * factor;
}
