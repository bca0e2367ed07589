import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { readPickle } from "../../models/checkpoint/pickle.ts";
import { openPyTorch } from "../../models/checkpoint/pytorch.ts";
import { ModelError } from "../../models/errors.ts";
import { call, checkpoint, dictionary, global, pickle, type TinyTensor, zip } from "./pickles.ts";

const root = await mkdtemp(join(tmpdir(), "escriba-pytorch-"));
test.after.always("remove the files", () => rm(root, { recursive: true }));

const floats = (...values: number[]) => Buffer.from(Float32Array.from(values).buffer);
const matrix: TinyTensor = { storage: "FloatStorage", shape: [2, 3], data: floats(1, 2, 3, 4, 5, 6) };

async function saved(name: string, content: Buffer): Promise<string> {
  const path = join(root, name);
  await writeFile(path, content);
  return path;
}

test("tensors of a state dictionary are read, in 32 and 16 bits, whole or as a part of a storage", async (t) => {
  const half: TinyTensor = {
    storage: "HalfStorage",
    shape: [2],
    data: Buffer.from(Float16Array.of(0.5, -2).buffer),
  };
  const part: TinyTensor = { ...matrix, shape: [3], stride: [1], offset: 2 };
  const weights = openPyTorch(await saved("good.pt", checkpoint({ matrix, half, part })));
  t.teardown(() => weights.close());
  t.deepEqual([...weights.read("matrix", [2, 3])], [1, 2, 3, 4, 5, 6]);
  t.deepEqual([...weights.read("half", [2])], [0.5, -2]);
  t.deepEqual([...weights.read("part", [3])], [3, 4, 5]);
});

test("a state dictionary inside a larger checkpoint is found, whatever classes stand beside it", async (t) => {
  const content = checkpoint({ matrix }, (state) =>
    dictionary([
      ["problem", call(global("pyannote.audio.core.task", "Problem"), Buffer.from([0x4b, 1]))],
      ["state_dict", state],
    ]),
  );
  const weights = openPyTorch(await saved("wrapped.pt", content));
  t.teardown(() => weights.close());
  t.deepEqual([...weights.read("matrix", [2, 3])], [1, 2, 3, 4, 5, 6]);
});

test("a pickle that asks for a call gets none: only its name is kept", (t) => {
  const made = readPickle(pickle(call(global("os", "system"), Buffer.from("X\x04\0\0\0true", "latin1"))));
  t.like(made, { by: "os.system", values: ["true"] });
});

test("wrong names, shapes, kinds and layouts are named", async (t) => {
  const integers: TinyTensor = { storage: "LongStorage", shape: [1], data: Buffer.alloc(8) };
  const turned: TinyTensor = { ...matrix, stride: [1, 2] };
  const short: TinyTensor = { ...matrix, offset: 4 };
  const weights = openPyTorch(await saved("odd.pt", checkpoint({ matrix, integers, turned, short })));
  t.teardown(() => weights.close());
  const refused = (name: string, dims: number[], message: RegExp) =>
    t.throws(() => weights.read(name, dims), { instanceOf: ModelError, message });
  refused("absent", [1], /no tensor absent/);
  refused("matrix", [3, 2], /is \[2,3\], not \[3,2\]/);
  refused("integers", [1], /LongStorage/);
  refused("turned", [2, 3], /row by row/);
  refused("short", [2, 3], /lacks its numbers/);
});

const whole = checkpoint({ matrix });
const broken: [string, Buffer, RegExp][] = [
  ["empty", Buffer.alloc(0), /not a zip file/],
  ["text", Buffer.from("not a checkpoint"), /not a zip file/],
  ["cut", whole.subarray(0, whole.length - 30), /not a zip file/],
  ["damaged", Buffer.concat([whole.subarray(40), Buffer.alloc(0)]), /outside the file|damaged directory/],
  ["compressed", zip([["archive/data.pkl", Buffer.alloc(3)]], 8), /is compressed/],
  ["other", zip([["notes.txt", Buffer.from("hello")]]), /not a PyTorch checkpoint/],
  ["no-tensors", zip([["a/data.pkl", pickle(dictionary([]))]]), /holds no tensors/],
  ["list", zip([["a/data.pkl", pickle(Buffer.from("]"))]]), /no dictionary/],
  ["unfinished", zip([["a/data.pkl", Buffer.from([0x80, 2, 0x7d])]]), /ends early/],
  ["opcode", zip([["a/data.pkl", Buffer.from([0x80, 2, 0x69, 0x2e])]]), /opcode 0x69/],
  ["underflow", zip([["a/data.pkl", Buffer.from([0x80, 2, 0x52, 0x2e])]]), /more than it put down/],
  ["memo", zip([["a/data.pkl", Buffer.from([0x80, 2, 0x68, 9, 0x2e])]]), /never kept/],
];
for (const [name, content, message] of broken) {
  test(`a file that is no checkpoint is refused: ${name}`, async (t) => {
    const path = await saved(`${name}.pt`, content);
    t.throws(() => openPyTorch(path), { instanceOf: ModelError, message });
  });
}
