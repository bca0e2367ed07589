import { ModelError } from "../errors.ts";
import { FLOAT_FORMATS, type FloatFormat } from "./float-formats.ts";
import { PartedFile } from "./parted-file.ts";
import type { Weights } from "./weights.ts";

const FORMATS: Record<string, FloatFormat> = { F32: "f32", F16: "f16", BF16: "bf16" };

/** The format's own limit (github.com/huggingface/safetensors, MAX_HEADER_SIZE). */
const MAX_HEADER_BYTES = 100_000_000;

/**
 * Opens a safetensors file: u64 header length, a JSON header with each tensor's type, shape and byte range, the data.
 * Throws ModelError when the header does not describe the file.
 */
export function openSafetensors(path: string): Weights {
  const file = new PartedFile([path]);
  try {
    const { tensors, dataStart } = readHeader(file, path);
    return {
      read: (name, dims) => {
        // The hub's files carry "model." before every name; fine-tuned ones sometimes do not.
        const tensor = tensors.get(name) ?? tensors.get(name.replace(/^model\./, ""));
        if (!tensor) throw new ModelError(`${path}: no tensor ${name}`);
        if (tensor.shape.join() !== dims.join()) {
          throw new ModelError(`${path}: ${name} is [${tensor.shape}], not [${dims}] as config.json says`);
        }
        const format = FORMATS[tensor.dtype];
        if (!format) throw new ModelError(`${path}: ${name} has type ${tensor.dtype}; F32, F16 and BF16 are read`);
        const { bytes, decode } = FLOAT_FORMATS[format];
        const length = dims.reduce((product, dim) => product * dim, bytes);
        return decode(file.read(dataStart + tensor.start, length));
      },
      close: () => file.close(),
    };
  } catch (error) {
    file.close();
    throw error;
  }
}

interface Tensor {
  dtype: string;
  shape: number[];
  start: number;
}

function readHeader(file: PartedFile, path: string): { tensors: Map<string, Tensor>; dataStart: number } {
  const headerBytes = file.size < 8 ? 0 : Number(new BigUint64Array(file.read(0, 8))[0]);
  if (headerBytes < 2 || headerBytes > Math.min(MAX_HEADER_BYTES, file.size - 8)) {
    throw new ModelError(`${path} is not a safetensors file`);
  }
  const dataStart = 8 + headerBytes;
  let header: Record<string, { dtype: string; shape: number[]; data_offsets: [number, number] }>;
  try {
    header = JSON.parse(Buffer.from(file.read(8, headerBytes)).toString("utf8"));
  } catch {
    throw new ModelError(`${path}: the safetensors header is not JSON`);
  }
  const tensors = new Map<string, Tensor>();
  for (const [name, entry] of Object.entries(header)) {
    if (name === "__metadata__") continue;
    const [start, end] = entry.data_offsets;
    // BERT checkpoints carry integer position ids that nobody reads: an unknown type is a fault when it is asked for.
    const format = FORMATS[entry.dtype];
    const bytes = format && entry.shape.reduce((product, dim) => product * dim, FLOAT_FORMATS[format].bytes);
    if ((bytes !== undefined && end - start !== bytes) || end < start || dataStart + end > file.size) {
      throw new ModelError(`${path}: ${name} does not fit its byte range ${start} to ${end}`);
    }
    tensors.set(name, { dtype: entry.dtype, shape: entry.shape, start });
  }
  return { tensors, dataStart };
}
