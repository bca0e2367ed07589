import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { compose } from "../../eval/audio/compose.ts";
import type { Recording } from "../../eval/audio/recordings.ts";
import { doubleRate, readWav, WavWriter } from "../../eval/audio/wav.ts";

const tone = (rate: number, hertz: number, seconds: number) =>
  Int16Array.from({ length: rate * seconds }, (_, i) => Math.round(8_000 * Math.sin((2 * Math.PI * hertz * i) / rate)));

async function writeWav(path: string, rate: number, samples: Int16Array): Promise<void> {
  const writer = await WavWriter.create(path, rate);
  await writer.write(samples);
  await writer.close();
}

test("a doubled rate keeps the tone", (t) => {
  const { rate, samples } = doubleRate({ rate: 8_000, samples: tone(8_000, 440, 1) });
  t.is(rate, 16_000);
  const ideal = tone(16_000, 440, 1);
  // The ends have nothing beyond them to interpolate from.
  for (let i = 200; i < ideal.length - 200; i++) t.true(Math.abs((samples[i] as number) - (ideal[i] as number)) < 40);
});

test("a composition holds each recording where its notes say, and the same seed makes the same file", async (t) => {
  const dir = await mkdtemp(join(tmpdir(), "escriba-compose-"));
  t.teardown(() => rm(dir, { recursive: true }));
  const recordings: Recording[] = [];
  for (const [i, hertz] of [300, 400, 500].entries()) {
    const path = join(dir, `${hertz}.wav`);
    await writeWav(path, 16_000, tone(16_000, hertz, 1 + i));
    recordings.push({ id: String(hertz), language: "en", text: `tone ${hertz}`, path });
  }
  const made = await compose(dir, "a", recordings, { seconds: 10, seed: 7 });
  const again = await compose(dir, "b", recordings, { seconds: 10, seed: 7 });
  t.true((await readFile(made.path)).equals(await readFile(again.path)));
  t.deepEqual(await compose(dir, "a", recordings, { seconds: 10, seed: 7 }), made);

  const { rate, samples } = await readWav(made.path);
  t.is(rate, 16_000);
  t.is(samples.length, made.samples);
  t.true(made.samples >= 160_000);
  t.is(made.text, made.turns.map(({ text }) => text).join(" "));
  for (const { start, end, text } of made.turns) {
    const original = (await readWav(join(dir, `${text.slice(5)}.wav`))).samples;
    t.deepEqual(samples.slice(start, end), original);
    t.true(samples.subarray(start - 4_800, start).every((sample) => sample === 0));
  }
});

test("only 16-bit mono WAV is read", async (t) => {
  const dir = await mkdtemp(join(tmpdir(), "escriba-wav-"));
  t.teardown(() => rm(dir, { recursive: true }));
  await t.throwsAsync(readWav(new URL(import.meta.url).pathname), { message: /not a WAV file/ });
});
