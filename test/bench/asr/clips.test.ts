import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { cuts, makeClips } from "../../../bench/asr/clips.ts";
import type { Recording } from "../../../eval/audio/recordings.ts";
import { readWav, writeWav } from "../../../eval/audio/wav.ts";

test("a long recording comes in pieces of 15 s, and a rest of under a second is left out", (t) => {
  t.deepEqual(cuts(16_000 * 15), [[0, 240_000]]);
  t.deepEqual(cuts(16_000 * 31), [
    [0, 240_000],
    [240_000, 480_000],
    [480_000, 496_000],
  ]);
  t.deepEqual(cuts(16_000 * 15 + 15_999), [[0, 240_000]]);
  t.deepEqual(cuts(8_000), [[0, 8_000]]);
});

test("clips are files of their own with their words, the same every time, and start over when they run out", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "escriba-clips-"));
  t.teardown(() => rm(directory, { recursive: true }));
  const recordings: Recording[] = [];
  for (const [id, seconds] of [
    ["short", 2],
    ["long", 20],
  ] as const) {
    const path = join(directory, `${id}.wav`);
    await writeWav(path, 16_000, new Int16Array(16_000 * seconds).fill(seconds));
    recordings.push({ id, language: "en", text: `what ${id} says`, path });
  }
  const made = join(directory, "made");
  const clips = await makeClips(made, recordings, 5);
  t.is(clips.length, 5);
  t.is((await readdir(made)).length, 3);
  t.deepEqual(clips.slice(3), clips.slice(0, 2));
  t.deepEqual(clips, await makeClips(made, recordings, 5));
  const whole = clips.find(({ text }) => text !== null);
  t.is(whole?.text, "what short says");
  t.is((await readWav(whole?.path as string)).samples.length, 32_000);
  const pieces = clips.slice(0, 3).filter(({ text }) => text === null);
  t.deepEqual(pieces.map(({ samples }) => samples).sort(), [240_000, 80_000]);
});

test("no recording, no clip", async (t) => {
  await t.throwsAsync(makeClips(tmpdir(), [], 1), { message: /no recording/ });
});
