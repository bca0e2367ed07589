import { existsSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import protobuf from "protobufjs";
import { PART_FILES } from "./kokoro-catalogue.ts";

/** The tensor with how long each sound lasts, in frames of 600 samples. */
export const DURATIONS = "/encoder/Clip_output_0";

const FLOAT = 1;
const INT32 = 6;

/**
 * Puts Kokoro's graph together, once, with two changes. It also answers the durations, from which word times follow;
 * and its convolutions count in floats, exactly the same integers, because ONNX Runtime's integer convolution takes a
 * third longer on a CPU. Answers the path.
 */
export async function kokoroGraph(directory: string): Promise<string> {
  const path = join(directory, "with-durations.onnx");
  if (existsSync(path)) return path;
  const whole = Buffer.concat(await Promise.all(PART_FILES.map((name) => readFile(join(directory, name)))));
  const type = modelType();
  const model = type.decode(whole) as unknown as { graph: { node: Node[]; output: unknown[] } };
  model.graph.node = model.graph.node.flatMap((node) => (node.op_type === "ConvInteger" ? floating(node) : [node]));
  model.graph.output.push({ name: DURATIONS, type: { tensor_type: { elem_type: FLOAT } } });
  await writeFile(`${path}.${process.pid}`, type.encode(model as object).finish());
  await rename(`${path}.${process.pid}`, path);
  return path;
}

interface Node {
  op_type: string;
  name: string;
  input: string[];
  output: string[];
  attribute: unknown[];
}

/** ConvInteger(x, w, x0, w0) is Conv(x - x0, w - w0); the weights' part is folded when the graph is loaded. */
function floating({ name, input, output, attribute }: Node): Node[] {
  const [x, w, x0, w0] = input as [string, string, string, string];
  const out = output[0] as string;
  const nodes: Node[] = [];
  const add = (op_type: string, inputs: string[], result: string, attributes: unknown[] = []) => {
    nodes.push({ op_type, name: `${name}/${result}`, input: inputs, output: [result], attribute: attributes });
    return result;
  };
  const cast = (value: string, result: string, to: number) =>
    add("Cast", [value], result, [{ name: "to", i: to, type: 2 }]);
  const minus = (a: string, b: string, result: string) =>
    add("Sub", [cast(a, `${result}/a`, FLOAT), cast(b, `${result}/b`, FLOAT)], result);
  const sound = minus(x, x0, `${out}/x`);
  const weights = minus(w, w0, `${out}/w`);
  cast(add("Conv", [sound, weights], `${out}/float`, attribute), out, INT32);
  return nodes;
}

/** The converters' part of ONNX, and the fields besides that this graph holds. */
function modelType(): protobuf.Type {
  const source = new URL("../../../../models/onnx/onnx.proto", import.meta.url);
  const root = new protobuf.Root().loadSync(source.pathname, { keepCase: true });
  root.lookupType("onnx.AttributeProto").add(new protobuf.Field("t", 5, "TensorProto"));
  root
    .lookupType("onnx.TensorProto")
    .add(new protobuf.Field("float_data", 4, "float", "repeated"))
    .add(new protobuf.Field("int32_data", 5, "int32", "repeated"))
    .add(new protobuf.Field("int64_data", 7, "int64", "repeated"));
  return root.lookupType("onnx.ModelProto");
}
