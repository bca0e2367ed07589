import type { Weights } from "../checkpoint/weights.ts";
import { Graph } from "../onnx/graph.ts";
import { blockProduct, type Product } from "../onnx/products.ts";

/** config.json as on the hub: the fields that the graph is built from. */
export interface BertConfig {
  hidden_size: number;
  intermediate_size: number;
  layer_norm_eps: number;
  max_position_embeddings: number;
  num_attention_heads: number;
  num_hidden_layers: number;
  vocab_size: number;
}

/**
 * A sentence encoder of the BERT family: `input_ids` i64 [1, n] → `mean` f32 [1, width], the mean of the last layer's
 * states over all n tokens (Reimers and Gurevych, 2019, "mean pooling"). One text a run, without padding or mask:
 * nothing but the text itself can have a say in its vector. Weights are 8 bits in blocks, activations are quantised a
 * row at a time.
 */
export function buildSentenceGraph(config: BertConfig, weights: Weights, product: Product = blockProduct): Graph {
  const graph = new Graph("bert-sentence");
  const layers = new BertLayers(graph, config, weights, product);
  graph.input("input_ids", "i64", [1, "n"]);
  let x = layers.embed("input_ids");
  for (let layer = 0; layer < config.num_hidden_layers; layer++) x = layers.encode(x, `encoder.layer.${layer}`);
  graph.node("ReduceMean", [x, graph.integers(1)], { keepdims: 0n }, "mean");
  graph.output("mean", "f32", [1, config.hidden_size]);
  return graph;
}

class BertLayers {
  readonly #graph: Graph;
  readonly #config: BertConfig;
  readonly #weights: Weights;
  readonly #product: Product;

  constructor(graph: Graph, config: BertConfig, weights: Weights, product: Product) {
    this.#graph = graph;
    this.#config = config;
    this.#weights = weights;
    this.#product = product;
  }

  /** Word, position and sentence embeddings; every token is of the first sentence, so that row joins the positions. */
  embed(ids: string): string {
    const [graph, weights] = [this.#graph, this.#weights];
    const { hidden_size: width, vocab_size: vocabulary, max_position_embeddings: positions } = this.#config;
    const words = "embeddings.word_embeddings.weight";
    const table = graph.weight(
      words,
      "f16",
      [vocabulary, width],
      () => new Float16Array(weights.read(words, [vocabulary, width])),
    );
    const places = graph.floats("embeddings.places", [positions, width], () => {
      const rows = weights.read("embeddings.position_embeddings.weight", [positions, width]);
      const sentence = weights.read("embeddings.token_type_embeddings.weight", [2, width]);
      for (let i = 0; i < rows.length; i++) rows[i] = (rows[i] as number) + (sentence[i % width] as number);
      return rows;
    });
    const length = graph.node("Shape", [ids], { start: 1n, end: 2n });
    const here = graph.node("Slice", [places, graph.integers(0), length, graph.integers(0)]);
    const looked = graph.node("Cast", [graph.node("Gather", [table, ids])], { to: 1n });
    return this.#norm(graph.node("Add", [looked, here]), "embeddings.LayerNorm");
  }

  /** One layer, normalised after each block, as Devlin et al. (2019) have it. */
  encode(x: string, layer: string): string {
    const graph = this.#graph;
    const { hidden_size: width, intermediate_size: inner, num_attention_heads: heads } = this.#config;
    const [q, k, v] = ["query", "key", "value"].map((name) =>
      this.#linear(x, `${layer}.attention.self.${name}`, width, width),
    ) as [string, string, string];
    const seen = graph.node("MultiHeadAttention", [q, k, v], { num_heads: BigInt(heads) }, undefined, "com.microsoft");
    const attended = graph.node("Add", [x, this.#linear(seen, `${layer}.attention.output.dense`, width, width)]);
    const y = this.#norm(attended, `${layer}.attention.output.LayerNorm`);
    const up = graph.node("Gelu", [this.#linear(y, `${layer}.intermediate.dense`, inner, width)]);
    const down = this.#linear(up, `${layer}.output.dense`, width, inner);
    return this.#norm(graph.node("Add", [y, down]), `${layer}.output.LayerNorm`);
  }

  #linear(x: string, name: string, outputs: number, inputs: number): string {
    const [graph, weights] = [this.#graph, this.#weights];
    const read = () => weights.read(`${name}.weight`, [outputs, inputs]);
    const y = this.#product(graph, x, { name, outputs, inputs, read });
    return graph.node("Add", [y, this.#vector(`${name}.bias`, outputs)]);
  }

  #norm(x: string, name: string): string {
    const { hidden_size: width, layer_norm_eps: epsilon } = this.#config;
    const inputs = [x, this.#vector(`${name}.weight`, width), this.#vector(`${name}.bias`, width)];
    return this.#graph.node("LayerNormalization", inputs, { axis: -1n, epsilon });
  }

  #vector(name: string, length: number): string {
    return this.#graph.floats(name, [length], () => this.#weights.read(name, [length]));
  }
}
