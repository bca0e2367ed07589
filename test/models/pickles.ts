import { crc32 } from "node:zlib";

/** Just enough of torch.save to make checkpoints for tests: pickles of protocol 2 in a zip of stored members. */

export interface TinyTensor {
  /** Class of the storage, e.g. `FloatStorage`. */
  storage: string;
  data: Buffer;
  shape: number[];
  stride?: number[];
  offset?: number;
}

const text = (value: string) => {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(5, "X");
  length.writeUInt32LE(bytes.length, 1);
  return Buffer.concat([length, bytes]);
};
const integer = (value: number) => {
  const bytes = Buffer.alloc(5, "J");
  bytes.writeInt32LE(value, 1);
  return bytes;
};
const tuple = (...parts: Buffer[]) => Buffer.concat([Buffer.from("("), ...parts, Buffer.from("t")]);
export const global = (module: string, name: string) => Buffer.from(`c${module}\n${name}\n`);
export const call = (callee: Buffer, ...args: Buffer[]) => Buffer.concat([callee, tuple(...args), Buffer.from("R")]);
export const dictionary = (entries: [string, Buffer][]) =>
  Buffer.concat([Buffer.from("}("), ...entries.flatMap(([key, value]) => [text(key), value]), Buffer.from("u")]);
export const pickle = (value: Buffer) => Buffer.concat([Buffer.from([0x80, 2]), value, Buffer.from(".")]);

export function tensor({ storage, shape, stride, offset = 0, data }: TinyTensor, key: string): Buffer {
  const place = tuple(text("storage"), global("torch", storage), text(key), text("cpu"), integer(data.length));
  const strides = stride ?? shape.map((_, axis) => shape.slice(axis + 1).reduce((product, dim) => product * dim, 1));
  return call(
    global("torch._utils", "_rebuild_tensor_v2"),
    Buffer.concat([place, Buffer.from("Q")]),
    integer(offset),
    tuple(...shape.map(integer)),
    tuple(...strides.map(integer)),
    Buffer.from([0x89]),
    call(global("collections", "OrderedDict")),
  );
}

/** A checkpoint as torch.save makes it; `wrap` may put the dictionary of tensors into a larger object. */
export function checkpoint(tensors: Record<string, TinyTensor>, wrap = (state: Buffer) => state): Buffer {
  const entries = Object.entries(tensors);
  const state = dictionary(entries.map(([name, one], i) => [name, tensor(one, String(i))]));
  return zip([
    ["archive/data.pkl", pickle(wrap(state))],
    ...entries.map(([, { data }], i): [string, Buffer] => [`archive/data/${i}`, data]),
  ]);
}

export function zip(members: [string, Buffer][], method = 0): Buffer {
  const local: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, data] of members) {
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x0403_4b50, 0);
    header.writeUInt16LE(method, 8);
    header.writeUInt32LE(crc32(data), 14);
    header.writeUInt32LE(data.length, 18);
    header.writeUInt32LE(data.length, 22);
    header.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x0201_4b50, 0);
    entry.writeUInt16LE(method, 10);
    header.copy(entry, 16, 14, 28);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(at, 42);
    directory.push(entry, Buffer.from(name));
    local.push(header, Buffer.from(name), data);
    at += 30 + name.length + data.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x0605_4b50, 0);
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...local, list, end]);
}
