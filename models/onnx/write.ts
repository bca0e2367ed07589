import { readFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import protobuf from "protobufjs";
import {
  type Attributes,
  BYTES,
  DATA_TYPE,
  type Dimensions,
  type Graph,
  type Initializer,
  type Node,
  type Value,
} from "./graph.ts";

/** Gelu came with opset 20; MatMulNBits is one of onnxruntime's own operators. */
const OPSET = { "": 20, "com.microsoft": 1 };
const IR_VERSION = 9;

export interface WriteOptions {
  producer: string;
  version: string;
  /** Called after each weight with its size in bytes. */
  onBytes?: (bytes: number) => void;
  signal?: AbortSignal;
}

/**
 * Writes the graph as an ONNX file, one weight in memory at a time.
 *
 * Protobuf parsers merge a field that occurs again (protobuf.dev, "Last One Wins": embedded messages are merged), so
 * the file is a run of ModelProto messages laid end to end: first the structure, then one graph with a single
 * initializer each.
 */
export async function writeOnnx(graph: Graph, path: string, options: WriteOptions): Promise<void> {
  const Model = modelType();
  const encode = (message: object) => Model.encode(Model.fromObject(message)).finish();
  const file = await open(path, "w");
  try {
    await writeAll(
      file,
      encode({
        ir_version: IR_VERSION,
        producer_name: options.producer,
        producer_version: options.version,
        opset_import: Object.entries(OPSET).map(([domain, version]) => ({ domain, version })),
        graph: {
          name: graph.name,
          node: graph.nodes.map(nodeMessage),
          input: graph.inputs.map(valueMessage),
          output: graph.outputs.map(valueMessage),
        },
      }),
    );
    for (const initializer of graph.initializers.values()) {
      options.signal?.throwIfAborted();
      const tensor = tensorMessage(initializer);
      // Not fromObject: it would copy the weight once more.
      await writeAll(file, Model.encode({ graph: { initializer: [tensor] } } as never).finish());
      options.onBytes?.(tensor.raw_data.byteLength);
      await nextTurn(); // quantising is synchronous; timers and signals get their turn between weights
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

function modelType(): protobuf.Type {
  const source = readFileSync(new URL("onnx.proto", import.meta.url), "utf8");
  return protobuf.parse(source, { keepCase: true }).root.lookupType("onnx.ModelProto");
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done);
    done += bytesWritten;
  }
}

function tensorMessage({ name, type, dims, data }: Initializer) {
  const view = data();
  const raw_data = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  const elements = dims.reduce((product, dim) => product * dim, 1);
  if (raw_data.byteLength !== elements * BYTES[type]) {
    throw new Error(`${name}: ${raw_data.byteLength} bytes do not fill ${type} [${dims.join(", ")}]`);
  }
  return { name, data_type: DATA_TYPE[type], dims: [...dims], raw_data };
}

function nodeMessage(node: Node) {
  return {
    name: node.name,
    op_type: node.type,
    domain: node.domain,
    input: node.inputs,
    output: node.outputs,
    attribute: Object.entries(node.attributes).map(attributeMessage),
  };
}

function attributeMessage([name, value]: [string, Attributes[string]]) {
  if (typeof value === "number") return { name, type: 1, f: value };
  if (typeof value === "bigint") return { name, type: 2, i: Number(value) };
  if (typeof value === "string") return { name, type: 3, s: Buffer.from(value) };
  return { name, type: 7, ints: value.map(Number) };
}

function valueMessage({ name, type, dims }: Value) {
  return { name, type: { tensor_type: { elem_type: DATA_TYPE[type], shape: shapeMessage(dims) } } };
}

function shapeMessage(dims: Dimensions) {
  return { dim: dims.map((dim) => (typeof dim === "number" ? { dim_value: dim } : { dim_param: dim })) };
}
