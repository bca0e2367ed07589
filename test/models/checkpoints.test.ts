import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { openSafetensors } from "../../models/checkpoint/safetensors.ts";
import { ModelError } from "../../models/errors.ts";
import { openCTranslate2 } from "../../models/whisper/ctranslate2.ts";
import {
  ctranslate2Model,
  safetensors,
  TINY,
  tinyTensors,
  writeCTranslate2Tiny,
  writeHubTiny,
} from "./tiny-whisper.ts";

const root = await mkdtemp(join(tmpdir(), "escriba-checkpoints-"));
test.after.always("remove the files", () => rm(root, { recursive: true }));

const EMBEDDING = "model.decoder.embed_tokens.weight";
const dims = [TINY.vocab_size, TINY.d_model];

for (const format of ["F16", "F32", "BF16"] as const) {
  test(`safetensors in ${format} are read as 32-bit floats`, async (t) => {
    const directory = join(root, format);
    await writeHubTiny(directory, format);
    const weights = openSafetensors(join(directory, "model.safetensors"));
    t.teardown(() => weights.close());
    const values = weights.read(EMBEDDING, dims);
    const expected = tinyTensors().get(EMBEDDING)?.values as Float16Array;
    const tolerance = format === "BF16" ? 2 ** -7 : 0; // bfloat16 keeps 8 bits, here cut and not rounded
    t.true(values.every((value, i) => Math.abs(value - (expected[i] as number)) <= Math.abs(value) * tolerance + 1e-9));
  });
}

test("parts of a projection are found in CTranslate2's fused matrices", async (t) => {
  const directory = join(root, "parts");
  const parts = await writeCTranslate2Tiny(directory, 2);
  const weights = openCTranslate2(parts.map((part) => join(directory, part)));
  t.teardown(() => weights.close());
  for (const [name, { dims, values }] of tinyTensors())
    t.deepEqual(weights.read(name, dims), Float32Array.from(values), name);
  t.is(weights.integer("encoder/num_heads"), 2);
  t.is(weights.layers("decoder"), 2);
});

test("a tensor that is missing or of another shape is named", async (t) => {
  const directory = join(root, "shape");
  await writeHubTiny(directory);
  const weights = openSafetensors(join(directory, "model.safetensors"));
  t.teardown(() => weights.close());
  t.throws(() => weights.read("model.encoder.layers.9.fc1.bias", [4]), {
    instanceOf: ModelError,
    message: /layers\.9/,
  });
  t.throws(() => weights.read(EMBEDDING, [1, 2]), { instanceOf: ModelError, message: /is \[120,64\], not \[1,2\]/ });
});

const whole = ctranslate2Model();
const broken: [string, Buffer, RegExp][] = [
  ["empty.bin", Buffer.alloc(0), /cut off/],
  ["cut.bin", whole.subarray(0, 5_000), /cut off|do not fill/],
  ["longer.bin", Buffer.concat([whole, Buffer.alloc(3)]), /3 bytes after/],
  ["version.bin", Buffer.concat([Buffer.of(5), whole.subarray(1)]), /binary version 6/],
  ["text.bin", Buffer.from("this is no model at all, only text"), /binary version 6/],
];
for (const [name, bytes, message] of broken) {
  test(`CTranslate2 refuses ${name}`, async (t) => {
    const path = join(root, name);
    await writeFile(path, bytes);
    t.throws(() => openCTranslate2([path]), { instanceOf: ModelError, message });
  });
}

const tensor = { name: "w", dims: [2], bytes: Buffer.alloc(8) };
const faulty: [string, Buffer, RegExp][] = [
  ["empty.safetensors", Buffer.alloc(0), /not a safetensors file/],
  ["text.safetensors", Buffer.from("<html>not found</html>, says the proxy"), /not a safetensors file/],
  ["json.safetensors", Buffer.concat([Buffer.of(4, 0, 0, 0, 0, 0, 0, 0), Buffer.from("{no}")]), /not JSON/],
  ["range.safetensors", safetensors([{ ...tensor, dims: [3] }], "F32"), /byte range/],
  ["cut.safetensors", safetensors([tensor], "F32").subarray(0, -1), /byte range/],
];
for (const [name, bytes, message] of faulty) {
  test(`safetensors refuses ${name}`, async (t) => {
    const path = join(root, name);
    await writeFile(path, bytes);
    t.throws(() => openSafetensors(path), { instanceOf: ModelError, message });
  });
}

test("a tensor of integers is a fault when it is read, not when it is there", async (t) => {
  const path = join(root, "integer.safetensors");
  await writeFile(path, safetensors([tensor], "I32"));
  const weights = openSafetensors(path);
  t.teardown(() => weights.close());
  t.throws(() => weights.read("w", [2]), { instanceOf: ModelError, message: /type I32/ });
});
