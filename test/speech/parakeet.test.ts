import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { loadParakeet, type ParakeetModel } from "../../speech/parakeet/model.ts";
import { Parakeet } from "../../speech/parakeet/parakeet.ts";
import { Vocabulary } from "../../speech/parakeet/vocabulary.ts";
import { saying, TINY_FRAME, writeTinyParakeet } from "./tiny-parakeet.ts";

let directory: string;
let model: ParakeetModel;
test.before(async () => {
  directory = await mkdtemp(join(tmpdir(), "escriba-parakeet-"));
  await writeTinyParakeet(directory);
  model = await loadParakeet(directory, { threads: 1 });
});
test.after.always(() => rm(directory, { recursive: true, force: true }));

const BLANK = "<blk>";

async function hear(frames: Parameters<typeof saying>[0]) {
  const spoken = saying(frames);
  const audio = new Float32Array(480_000);
  audio.set(spoken);
  return new Parakeet(model).hear([{ start: 1_000, end: 1_000 + spoken.length }], audio, () => undefined);
}

test("a token goes on by its duration; a blank says nothing", async (t) => {
  const { text, tokens } = await hear([
    ["▁ho", 2],
    ["▁año", 1], // passed over
    [BLANK, 3],
    ["▁año", 1],
    ["▁año", 1],
    ["la", 4],
    ["▁año", 1],
  ]);
  t.is(text, " hola");
  t.deepEqual(tokens, [0, 1]);
});

test("a duration of nothing: another token of the same frame, ten at the most; a blank moves on", async (t) => {
  t.is(
    (
      await hear([
        [BLANK, 0],
        ["▁ho", 1],
        ["la", 1],
      ])
    ).text,
    " hola",
  );
  const { tokens } = await hear([
    ["la", 0],
    ["▁ho", 1],
  ]);
  // Ten of the first frame, one of the second; `echo` outweighs them from the seventh on.
  t.deepEqual(tokens, [...Array(6).fill(1), ...Array(5).fill(3)]);
});

test("the prediction network goes on with what was said, and not with blanks", async (t) => {
  // Its count outweighs a score of 5 from the sixth token on.
  const six = Array.from({ length: 6 }, () => ["▁ho", 1] as const);
  t.deepEqual((await hear([...six, ["▁ho", 1]])).tokens, [0, 0, 0, 0, 0, 0, 3]);
  const blanks = Array.from({ length: 6 }, () => [BLANK, 1] as const);
  t.deepEqual((await hear([...blanks, ["▁ho", 1]])).tokens, [0]);
});

test("words stand where their tokens were heard; the log-probability is that of the tokens", async (t) => {
  const silence = Array.from({ length: 10 }, () => [BLANK, 1] as const);
  const { words, logprob } = await hear([...silence, ["▁ho", 1], ["la", 1], ...silence, ["▁año", 1], ...silence]);
  t.deepEqual(
    words.map(({ raw }) => raw),
    [" hola", " año"],
  );
  const [hola, year] = words;
  t.true(Math.abs((hola?.start ?? 0) - 1_000 - 10 * TINY_FRAME) <= TINY_FRAME, JSON.stringify(words));
  t.true(Math.abs((year?.start ?? 0) - 1_000 - 22 * TINY_FRAME) <= TINY_FRAME, JSON.stringify(words));
  // 5 against five zeros, three times; `echo` has grown by 1 and 2.
  const of = (...others: number[]) => 5 - Math.log(others.reduce((sum, other) => sum + Math.exp(other), Math.exp(5)));
  t.true(Math.abs(logprob - of(0, 0, 0, 0, 0) - of(0, 0, 0, 0, 1) - of(0, 0, 0, 0, 2)) < 1e-4, `${logprob}`);
});

test("silence has no words", async (t) => {
  const { words, text } = await hear([
    [BLANK, 4],
    [BLANK, 1],
  ]);
  t.deepEqual(words, []);
  t.is(text, "");
});

test("a directory without the files, or with a vocabulary without pieces, is named", async (t) => {
  const empty = await mkdtemp(join(tmpdir(), "escriba-parakeet-"));
  t.teardown(() => rm(empty, { recursive: true, force: true }));
  await t.throwsAsync(loadParakeet(empty, { threads: 1 }), { message: /vocab\.txt/ });
  await writeFile(join(empty, "vocab.txt"), "▁ho 0\n<blk> 1\n");
  await t.throwsAsync(loadParakeet(empty, { threads: 1 }), { message: /nemo128\.onnx/ });
  t.throws(() => new Vocabulary(""), { message: /no pieces/ });
});
