import { FLOAT_FORMATS, type FloatFormat } from "../checkpoint/float-formats.ts";
import { PartedFile } from "../checkpoint/parted-file.ts";
import { ModelError } from "../errors.ts";
import type { WhisperWeights } from "./weights.ts";

const BINARY_VERSION = 6;
const SPECIFICATION = "WhisperSpec";
const BYTES = [4, 1, 2, 4, 2, 2] as const; // f32, i8, i16, i32, f16, bf16: CTranslate2's DataType
const FORMATS: Record<number, FloatFormat> = { 0: "f32", 4: "f16", 5: "bf16" };

export interface CTranslate2Weights extends WhisperWeights {
  /** Dimensions of a variable by CTranslate2's own name, undefined when there is none. */
  dims(variable: string): readonly number[] | undefined;
  /** An integer kept in the file, e.g. `encoder/num_heads`. */
  integer(variable: string): number;
  /** How many `<side>/layer_N` there are. */
  layers(side: "encoder" | "decoder"): number;
}

/**
 * Opens CTranslate2's model.bin (possibly cut into parts), version 6 of its binary format: variables with name, shape,
 * type and bytes, then aliases (ctranslate2/specs/model_spec.py, `_serialize`). Only names and places are read here;
 * tensors are read when asked for. Throws ModelError when the file is something else.
 */
export function openCTranslate2(paths: readonly string[]): CTranslate2Weights {
  const file = new PartedFile(paths);
  try {
    const variables = readVariables(file);
    const find = (name: string) => {
      const variable = variables.get(name);
      if (!variable) throw new ModelError(`${paths[0]}: no variable ${name}`);
      return variable;
    };
    return {
      dims: (name) => variables.get(name)?.dims,
      integer: (name) => {
        const { type, position } = find(name);
        const view = new DataView(file.read(position, BYTES[type] ?? 0));
        if (type === 1) return view.getInt8(0);
        if (type === 2) return view.getInt16(0, true);
        if (type === 3) return view.getInt32(0, true);
        throw new ModelError(`${paths[0]}: ${name} is not an integer`);
      },
      layers: (side) => {
        let count = 0;
        while (variables.has(`${side}/layer_${count}/ffn/linear_0/bias`)) count++;
        return count;
      },
      read: (name, dims) => {
        const place = placeOf(name);
        const { type, dims: stored, position, alias } = find(place.variable);
        const format = FORMATS[type];
        if (!format)
          throw new ModelError(`${paths[0]}: ${alias} is quantised (type ${type}); f32, f16 and bf16 are read`);
        const { bytes, decode } = FLOAT_FORMATS[format];
        const expected = [(dims[0] ?? 1) * place.parts, ...dims.slice(1)];
        if (stored.join() !== expected.join()) {
          throw new ModelError(`${paths[0]}: ${alias} is [${stored}], not [${expected}]`);
        }
        const length = dims.reduce((product, dim) => product * dim, bytes);
        return decode(file.read(position + place.part * length, length));
      },
      close: () => file.close(),
    };
  } catch (error) {
    file.close();
    throw error instanceof RangeError ? new ModelError(`${paths[0]}: the model file is cut off`) : error;
  }
}

interface Variable {
  alias: string;
  type: number;
  dims: number[];
  position: number;
}

function readVariables(file: PartedFile): Map<string, Variable> {
  let position = 0;
  const take = (length: number) => {
    const view = new DataView(file.read(position, length));
    position += length;
    return view;
  };
  const u8 = () => take(1).getUint8(0);
  const u32 = () => take(4).getUint32(0, true);
  const text = () => {
    const bytes = take(take(2).getUint16(0, true));
    return Buffer.from(bytes.buffer).toString("utf8").replace(/\0+$/, "");
  };
  const version = u32();
  if (version !== BINARY_VERSION) throw new ModelError(`not a CTranslate2 model of binary version ${BINARY_VERSION}`);
  const specification = text();
  if (specification !== SPECIFICATION) throw new ModelError(`a CTranslate2 ${specification}, not a ${SPECIFICATION}`);
  u32(); // revision of the specification
  const variables = new Map<string, Variable>();
  for (let left = u32(); left > 0; left--) {
    const alias = text();
    const dims = Array.from({ length: u8() }, u32);
    const type = u8();
    const bytes = u32();
    if (dims.reduce((product, dim) => product * dim, BYTES[type] ?? Number.NaN) !== bytes) {
      throw new ModelError(`${alias}: ${bytes} bytes do not fill [${dims}] of type ${type}`);
    }
    variables.set(alias, { alias, type, dims, position });
    position += bytes;
  }
  for (let left = u32(); left > 0; left--) {
    const alias = text();
    const target = variables.get(text());
    if (target) variables.set(alias, target);
  }
  if (position !== file.size) throw new ModelError(`${file.size - position} bytes after the last variable`);
  return variables;
}

/** CTranslate2 lays projections of the same input into one matrix; a part is a run of its rows. */
interface Place {
  variable: string;
  part: number;
  parts: number;
}

const SELF: Record<string, [string, number, number]> = {
  q_proj: ["linear_0", 0, 3],
  k_proj: ["linear_0", 1, 3],
  v_proj: ["linear_0", 2, 3],
  out_proj: ["linear_1", 0, 1],
};
const CROSS: Record<string, [string, number, number]> = {
  q_proj: ["linear_0", 0, 1],
  k_proj: ["linear_1", 0, 2],
  v_proj: ["linear_1", 1, 2],
  out_proj: ["linear_2", 0, 1],
};
const NORMS: Record<string, string> = {
  self_attn_layer_norm: "self_attention/layer_norm",
  encoder_attn_layer_norm: "attention/layer_norm",
  final_layer_norm: "ffn/layer_norm",
};
const FEED_FORWARD: Record<string, string> = { fc1: "ffn/linear_0", fc2: "ffn/linear_1" };

/** Where CTranslate2 keeps the hub's tensor `name` (ctranslate2/converters/transformers.py, WhisperLoader). */
function placeOf(name: string): Place {
  const whole = (variable: string): Place => ({ variable, part: 0, parts: 1 });
  const [, side, rest] = name.match(/^model\.(encoder|decoder)\.(.*)$/) ?? [];
  if (!side || !rest) throw new ModelError(`no such Whisper tensor: ${name}`);
  if (rest === "embed_positions.weight") return whole(`${side}/position_encodings/encodings`);
  if (rest === "embed_tokens.weight") return whole(`${side}/embeddings/weight`);
  if (rest.startsWith("conv")) return whole(`${side}/${rest.replace(".", "/")}`);
  const [, layer, path, kind] = rest.match(/^(?:layers\.(\d+)\.)?(.*)\.(weight|bias)$/) ?? [];
  const norm = kind === "weight" ? "gamma" : "beta";
  if (path === "layer_norm") return whole(`${side}/layer_norm/${norm}`);
  const at = `${side}/layer_${layer}`;
  if (path && NORMS[path]) return whole(`${at}/${NORMS[path]}/${norm}`);
  if (path && FEED_FORWARD[path]) return whole(`${at}/${FEED_FORWARD[path]}/${kind}`);
  const [block, projection] = path?.split(".") ?? [];
  const found = (block === "self_attn" ? SELF : CROSS)[projection ?? ""];
  if (!found) throw new ModelError(`no such Whisper tensor: ${name}`);
  const [linear, part, parts] = found;
  return { variable: `${at}/${block === "self_attn" ? "self_attention" : "attention"}/${linear}/${kind}`, part, parts };
}
