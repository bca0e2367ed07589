import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { readWav, WavWriter } from "../../../eval/audio/wav.ts";
import { composeLong } from "../../../eval/long/compose.ts";
import { stretchStarts } from "../../../eval/long/minutes.ts";
import type { Recording } from "../../../eval/speech/sets/types.ts";

async function recording(directory: string, id: string, level: number, seconds: number): Promise<Recording> {
  const path = join(directory, `${id}.wav`);
  const writer = await WavWriter.create(path, 16_000);
  await writer.write(new Int16Array(seconds * 16_000).fill(level));
  await writer.close();
  const words = [{ text: id, start: 0.5, end: 1, speaker: "0", language: "en" }];
  return { id, set: "call", split: "held-out", language: "en", path, durationMs: seconds * 1_000, words };
}

test("recordings are laid end to end until the time is full, and each word is where its recording is", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "escriba-long-"));
  t.teardown(() => rm(directory, { recursive: true }));
  const levels: Record<string, number> = { a: 100, b: 200 };
  const calls = [await recording(directory, "a", 100, 5), await recording(directory, "b", 200, 7)];
  const made = await composeLong(directory, [...calls, { ...(calls[0] as Recording), words: [] }], {
    minutes: 1,
    seed: 1,
  });
  const { samples } = await readWav(made.path);
  t.is(samples.length, made.seconds * 16_000);
  t.true(made.seconds >= 60 && made.seconds < 60 + 9);
  t.true(made.words.length >= 7);
  t.is(new Set(made.words.map(({ text }) => text)).size, 2);
  for (const { text, start } of made.words) t.is(samples[Math.round(start * 16_000)], levels[text]);
  const bytes = await readFile(made.path);
  t.deepEqual(await composeLong(directory, calls, { minutes: 1, seed: 1 }), made, "made once");
  await rm(made.path);
  await rm(`${made.path}.json`);
  t.deepEqual(await composeLong(directory, calls, { minutes: 1, seed: 1 }), made);
  t.true(bytes.equals(await readFile(made.path)), "the same bytes again");
  await t.throwsAsync(composeLong(directory, [], { minutes: 1, seed: 1 }), { message: /no call/ });
});

test("the starts of one minute: its reference words alone, answered from a little around it", (t) => {
  const reference = Array.from({ length: 120 }, (_, i) => ({ text: `w${i}`, start: i, end: i + 0.5 }));
  const late = reference.map((word) => ({ ...word, start: word.start + (word.start < 60 ? 0.1 : 0.3) }));
  const first = stretchStarts(reference, late, { from: 0, to: 60 });
  const last = stretchStarts(reference, late, { from: 60, to: 120 });
  t.deepEqual([first.words, first.matched, Math.round(first.p50 ?? 0)], [60, 60, 100]);
  t.deepEqual([last.words, last.matched, Math.round(last.p95 ?? 0)], [60, 60, 300]);
  t.deepEqual(stretchStarts(reference, [], { from: 0, to: 60 }), { p50: null, p95: null, words: 60, matched: 0 });
});
