import type { Weights } from "../checkpoint/weights.ts";
import type { Graph } from "../onnx/graph.ts";

/** torch.nn.BatchNorm's default. */
const EPSILON = 1e-5;

interface ConvolutionOptions {
  /** The batch norm that follows it, folded into it. */
  norm?: string;
  bias?: boolean;
  pads?: number[];
  strides?: number[];
  dilations?: number[];
}

/** Layers of a convolutional checkpoint. At inference a batch norm is a scale and a shift of each channel. */
export class Layers {
  readonly graph: Graph;
  readonly #weights: Weights;

  constructor(graph: Graph, weights: Weights) {
    this.graph = graph;
    this.#weights = weights;
  }

  relu(x: string): string {
    return this.graph.node("Relu", [x]);
  }

  /** `dims` is [outputs, inputs, …kernel]. */
  conv(x: string, name: string, dims: readonly number[], options: ConvolutionOptions = {}): string {
    const [graph, weights] = [this.graph, this.#weights];
    const { norm, bias, pads, strides, dilations } = options;
    const outputs = dims[0] as number;
    const kernel = graph.floats(`${name}.weight`, dims, () => {
      const values = weights.read(`${name}.weight`, dims);
      if (norm) scaleRows(values, this.#affine(norm, outputs).scale);
      return values;
    });
    const inputs = [x, kernel];
    if (norm) inputs.push(graph.floats(`${norm}.shift`, [outputs], () => this.#affine(norm, outputs).shift));
    else if (bias) inputs.push(graph.floats(`${name}.bias`, [outputs], () => weights.read(`${name}.bias`, [outputs])));
    return graph.node("Conv", inputs, {
      kernel_shape: dims.slice(2).map(BigInt),
      ...(pads && { pads: pads.map(BigInt) }),
      ...(strides && { strides: strides.map(BigInt) }),
      ...(dilations && { dilations: dilations.map(BigInt) }),
    });
  }

  /** A batch norm that stands alone, over [b, channels, t]. */
  norm(x: string, name: string, channels: number): string {
    const { graph } = this;
    const scale = graph.floats(`${name}.scale`, [channels, 1], () => this.#affine(name, channels).scale);
    const shift = graph.floats(`${name}.shift`, [channels, 1], () => this.#affine(name, channels).shift);
    return graph.node("Add", [graph.node("Mul", [x, scale]), shift]);
  }

  /** [b, inputs] → [b, outputs] with the batch norm (without weights of its own) that ends the network. */
  dense(x: string, name: string, [outputs, inputs]: readonly [number, number], out: string): string {
    const { graph } = this;
    const norm = `${name}.nonlinear.batchnorm`;
    const affine = () => this.#affine(norm, outputs, { learnt: false });
    const weight = graph.floats(`${name}.linear.weight`, [outputs, inputs], () => {
      const values = this.#weights.read(`${name}.linear.weight`, [outputs, inputs, 1]);
      scaleRows(values, affine().scale);
      return values;
    });
    const shift = graph.floats(`${norm}.shift`, [outputs], () => affine().shift);
    return graph.node("Gemm", [x, weight, shift], { transB: 1n }, out);
  }

  #affine(name: string, channels: number, { learnt = true } = {}): { scale: Float32Array; shift: Float32Array } {
    const read = (field: string) => this.#weights.read(`${name}.${field}`, [channels]);
    const [mean, variance] = [read("running_mean"), read("running_var")];
    const scale = learnt ? read("weight") : new Float32Array(channels).fill(1);
    const shift = learnt ? read("bias") : new Float32Array(channels);
    for (let i = 0; i < channels; i++) {
      scale[i] = (scale[i] as number) / Math.sqrt((variance[i] as number) + EPSILON);
      shift[i] = (shift[i] as number) - (mean[i] as number) * (scale[i] as number);
    }
    return { scale, shift };
  }
}

function scaleRows(values: Float32Array, scale: Float32Array): void {
  const width = values.length / scale.length;
  for (let i = 0; i < values.length; i++) values[i] = (values[i] as number) * (scale[Math.floor(i / width)] as number);
}
