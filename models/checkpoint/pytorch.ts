import { ModelError } from "../errors.ts";
import { FLOAT_FORMATS, type FloatFormat } from "./float-formats.ts";
import { PartedFile } from "./parted-file.ts";
import { Elsewhere, Made, Named, readPickle } from "./pickle.ts";
import { type Member, readStoredZip } from "./stored-zip.ts";
import type { Weights } from "./weights.ts";

const FORMATS: Record<string, FloatFormat> = {
  "torch.FloatStorage": "f32",
  "torch.HalfStorage": "f16",
  "torch.BFloat16Storage": "bf16",
};

/** Pickled structure, without the tensors: a few hundred KB for a thousand of them. */
const MAX_PICKLE_BYTES = 64_000_000;

interface Tensor {
  storage: string;
  type: string;
  /** Elements before the tensor's first one. */
  offset: number;
  shape: number[];
  stride: number[];
}

/**
 * Opens a checkpoint as torch.save has written it since PyTorch 1.6: a zip archive with one pickle and a member for
 * each storage. Tensors are found in the saved dictionary itself or in its `state_dict`. The pickle is read as data
 * (see readPickle), so a hostile file can do no more than be refused with a ModelError.
 */
export function openPyTorch(path: string): Weights {
  const file = new PartedFile([path]);
  try {
    const members = readStoredZip(file, path);
    const pickle = [...members.keys()].find((name) => name.endsWith("/data.pkl"));
    const place = pickle && members.get(pickle);
    if (!place || place.length > MAX_PICKLE_BYTES) throw new ModelError(`${path} is not a PyTorch checkpoint`);
    const tensors = tensorsOf(readPickle(Buffer.from(file.read(place.start, place.length))), path);
    const root = pickle.slice(0, -"data.pkl".length);
    return {
      read: (name, dims) => {
        const tensor = tensors.get(name);
        if (!tensor) throw new ModelError(`${path}: no tensor ${name}`);
        return readTensor(file, members.get(`${root}data/${tensor.storage}`), tensor, { path, name, dims });
      },
      close: () => file.close(),
    };
  } catch (error) {
    file.close();
    throw error;
  }
}

function tensorsOf(saved: unknown, path: string): Map<string, Tensor> {
  const state = saved instanceof Map && saved.get("state_dict") instanceof Map ? saved.get("state_dict") : saved;
  if (!(state instanceof Map)) throw new ModelError(`${path} holds no dictionary of tensors`);
  const tensors = new Map<string, Tensor>();
  for (const [name, value] of state as Map<unknown, unknown>) {
    const tensor = tensorOf(value);
    if (typeof name === "string" && tensor) tensors.set(name, tensor);
  }
  if (tensors.size === 0) throw new ModelError(`${path} holds no tensors`);
  return tensors;
}

/** `_rebuild_tensor_v2(storage, offset, size, stride, …)`. */
function tensorOf(value: unknown): Tensor | undefined {
  if (!(value instanceof Made) || value.by !== "torch._utils._rebuild_tensor_v2") return undefined;
  const [storage, offset, shape, stride] = value.values;
  if (!(storage instanceof Elsewhere) || !Array.isArray(storage.id)) return undefined;
  const [kind, type, key] = storage.id as unknown[];
  if (kind !== "storage" || !(type instanceof Named) || typeof key !== "string") return undefined;
  if (typeof offset !== "number" || !areCounts(shape) || !areCounts(stride)) return undefined;
  return { storage: key, type: type.name, offset, shape, stride };
}

function areCounts(values: unknown): values is number[] {
  return Array.isArray(values) && values.every((value) => Number.isSafeInteger(value) && value >= 0);
}

function readTensor(
  file: PartedFile,
  member: Member | undefined,
  { type, offset, shape, stride }: Tensor,
  { path, name, dims }: { path: string; name: string; dims: readonly number[] },
): Float32Array {
  if (shape.join() !== dims.join()) throw new ModelError(`${path}: ${name} is [${shape}], not [${dims}]`);
  let step = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    if (shape[axis] !== 1 && stride[axis] !== step) throw new ModelError(`${path}: ${name} is not laid out row by row`);
    step *= shape[axis] as number;
  }
  const format = FORMATS[type];
  if (!format) throw new ModelError(`${path}: ${name} has type ${type}; 32- and 16-bit floats are read`);
  const { bytes, decode } = FLOAT_FORMATS[format];
  if (!member || (offset + step) * bytes > member.length) throw new ModelError(`${path}: ${name} lacks its numbers`);
  return decode(file.read(member.start + offset * bytes, step * bytes));
}
