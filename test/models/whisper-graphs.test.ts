import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type ExecutionContext } from "ava";
import { convertCTranslate2Whisper, convertHubWhisper } from "../../models/whisper/convert.ts";
import { Decoder, f32, floatsOf, load, type Outputs } from "./session.ts";
import { generator, TINY, TINY_HEADS, TINY_SUPPRESSED, writeCTranslate2Tiny, writeHubTiny } from "./tiny-whisper.ts";

const SAMPLES = TINY.max_source_positions * 2 * 160;

const root = await mkdtemp(join(tmpdir(), "escriba-whisper-"));

test.before("convert the tiny Whisper from both formats", async () => {
  await writeHubTiny(join(root, "hub"));
  const parts = await writeCTranslate2Tiny(join(root, "ctranslate2"), 3);
  for (const side of ["a", "b"]) await mkdir(join(root, side));
  await convertHubWhisper(join(root, "hub"), join(root, "a"));
  await convertCTranslate2Whisper(join(root, "ctranslate2"), parts, join(root, "b"));
});

test.after.always("remove them", () => rm(root, { recursive: true }));

test("both checkpoint formats give the same graphs, byte for byte", async (t) => {
  for (const file of ["encode.onnx", "step.onnx", "tokenizer.json"]) {
    const [a, b] = await Promise.all(["a", "b"].map((side) => readFile(join(root, side, file))));
    t.true(a?.equals(b as Buffer), file);
  }
});

test("CTranslate2's metadata becomes the hub's configuration", async (t) => {
  const config = JSON.parse(await readFile(join(root, "b", "config.json"), "utf8"));
  const generation = JSON.parse(await readFile(join(root, "b", "generation_config.json"), "utf8"));
  t.like(config, TINY);
  t.like(config, { decoder_start_token_id: 101, eos_token_id: 100, max_length: 16 });
  t.deepEqual(generation.suppress_tokens, TINY_SUPPRESSED);
  t.deepEqual(generation.alignment_heads, TINY_HEADS);
  t.is(generation.no_timestamps_token_id, 105);
  t.false(generation.is_multilingual);
});

test("tokens given at once and one by one give the same answer", async (t) => {
  const { decoder } = await open(1);
  const ids = [101, 7, 33, 64, 2];
  const whole = await decoder(1).step([ids], noBias, 5);
  const single = decoder(1);
  let last = whole;
  for (const id of ids) last = await single.step([[id]], noBias, 5);
  t.deepEqual(last.tokens?.data, whole.tokens?.data);
  closeTo(t, floatsOf(last, "logprobs"), floatsOf(whole, "logprobs"), 1e-4);
  closeTo(t, floatsOf(last, "nk1"), floatsOf(whole, "nk1"), 1e-4);
  t.deepEqual(whole.nk1?.dims, [1, 2, 5, 32]);
});

test("rows of a batch do not influence each other", async (t) => {
  const { decoder } = await open(3);
  const rows = [[101], [101], [101]];
  const all = await decoder(3).step(rows, noBias, 4);
  for (const row of [0, 1, 2]) {
    const alone = await decoder(1, row).step([[101]], noBias, 4);
    t.deepEqual(floatsOf(alone, "logprobs"), floatsOf(all, "logprobs").slice(row * 4, row * 4 + 4));
  }
});

test("rows that share a window hear what rows with a copy of it each hear", async (t) => {
  const { decoder, sharing } = await open(1);
  const texts = [
    [101, 5, 6],
    [101, 7, 8],
    [101, 9, 33],
  ];
  const shared = sharing(3);
  await shared.step(texts, noBias, 4);
  const together = await shared.step([[40], [41], [42]], noBias, 4);
  t.deepEqual(together.attention?.dims, [3, TINY_HEADS.length, 1, TINY.max_source_positions]);
  for (const [row, text] of texts.entries()) {
    const own = decoder(1);
    await own.step([text], noBias, 4);
    const alone = await own.step([[40 + row]], noBias, 4);
    for (const name of ["logprobs", "attention", "nk1"]) {
      const expected = floatsOf(alone, name);
      closeTo(t, floatsOf(together, name).subarray(row * expected.length, (row + 1) * expected.length), expected, 1e-4);
    }
  }
});

test("log-probabilities are a softmax after bias and suppression, best first", async (t) => {
  const { decoder } = await open(1);
  const every = await decoder(1).step([[101]], noBias, TINY.vocab_size);
  const tokens = Array.from(every.tokens?.data as BigInt64Array, Number);
  const logprobs = floatsOf(every, "logprobs");
  t.true(Math.abs(logprobs.reduce((sum, value) => sum + Math.exp(value), 0) - 1) < 1e-4);
  t.deepEqual(
    [...logprobs],
    [...logprobs].sort((a, b) => b - a),
  );
  t.deepEqual(
    tokens.slice(-TINY_SUPPRESSED.length).sort((a, b) => a - b),
    TINY_SUPPRESSED,
  );
  const favourite = tokens[0] as number;
  const banned = new Float32Array(TINY.vocab_size);
  banned[favourite] = -1e9;
  const next = await decoder(1).step([[101]], banned, 1);
  t.is(Number(next.tokens?.data[0]), tokens[1] as number);
  t.true(
    (floatsOf(next, "logprobs")[0] as number) > (logprobs[1] as number),
    "what is banned gives its share to the others",
  );
});

test("a bias may differ from row to row", async (t) => {
  const { decoder } = await open(2);
  const bias = new Float32Array(2 * TINY.vocab_size).fill(-1e9);
  bias[11] = 0;
  bias[TINY.vocab_size + 22] = 0;
  const outputs = await decoder(2).step([[101], [101]], bias, 1);
  t.deepEqual(Array.from(outputs.tokens?.data as BigInt64Array, Number), [11, 22]);
  t.deepEqual([...floatsOf(outputs, "logprobs")], [0, 0]);
});

test("attention has one row of shares for each alignment head and token", async (t) => {
  const { decoder } = await open(2);
  const outputs = await decoder(2).step(
    [
      [101, 5, 6],
      [101, 7, 8],
    ],
    noBias,
    1,
  );
  t.deepEqual(outputs.attention?.dims, [2, TINY_HEADS.length, 3, TINY.max_source_positions]);
  const shares = floatsOf(outputs, "attention");
  for (let at = 0; at < shares.length; at += TINY.max_source_positions) {
    const sum = shares.subarray(at, at + TINY.max_source_positions).reduce((a, b) => a + b, 0);
    t.true(Math.abs(sum - 1) < 1e-4);
  }
});

const noBias = new Float32Array(TINY.vocab_size);

async function open(windows: number) {
  const encode = await load(join(root, "a", "encode.onnx"));
  const step = await load(join(root, "a", "step.onnx"));
  const encoded: Outputs[] = [];
  for (let window = 0; window < windows; window++) {
    const random = generator(100 + window);
    const audio = Float32Array.from({ length: SAMPLES }, () => random() * 0.3);
    encoded.push(await encode.run({ audio: f32(audio, [1, SAMPLES]) }));
  }
  return {
    decoder: (count: number, first = 0) => new Decoder(step, TINY, encoded.slice(first, first + count)),
    /** Rows that all hear the first window. */
    sharing: (rows: number) => new Decoder(step, TINY, encoded.slice(0, 1), rows),
  };
}

function closeTo(t: ExecutionContext, actual: Float32Array, expected: Float32Array, tolerance: number): void {
  t.is(actual.length, expected.length);
  for (const [i, value] of expected.entries()) t.true(Math.abs((actual[i] as number) - value) <= tolerance);
}
