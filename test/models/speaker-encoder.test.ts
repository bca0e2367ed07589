import { join } from "node:path";
import test from "ava";
import { BINS, FRAME, MELS, melTriangles, spectrumKernels } from "../../models/campplus/fbank.ts";
import { defaultModelsDirectory, ensure } from "../../models/ensure.ts";
import { f32, floatsOf, load } from "./session.ts";

/** Deterministic numbers in -1..1. */
function noise(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return state / 2 ** 31;
  };
}

test("one convolution is Kaldi's frame: mean off, emphasis, povey window, 512 points", (t) => {
  const random = noise(1);
  const frame = Float64Array.from({ length: FRAME }, () => random() + 0.3);
  const mean = frame.reduce((sum, value) => sum + value, 0) / FRAME;
  const centred = frame.map((value) => value - mean);
  const ready = centred.map((value, i) => {
    const before = centred[Math.max(0, i - 1)] as number;
    const hann = 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / (FRAME - 1));
    return (value - 0.97 * before) * hann ** 0.85;
  });
  const kernels = spectrumKernels();
  for (const bin of [0, 1, 17, 128, 255]) {
    for (const [half, wave] of [Math.cos, (angle: number) => -Math.sin(angle)].entries()) {
      const expected = ready.reduce((sum, value, i) => sum + value * wave((2 * Math.PI * bin * i) / 512), 0);
      const row = (half * BINS + bin) * FRAME;
      const found = frame.reduce((sum, value, i) => sum + value * (kernels[row + i] as number), 0);
      t.true(Math.abs(found - expected) < 1e-3, `bin ${bin}: ${found}, by the book ${expected}`);
    }
  }
});

test("eighty triangles share every bin between neighbours from 20 Hz on", (t) => {
  const filters = melTriangles();
  t.is(filters.length, MELS * BINS);
  const covered = (bin: number) => filters.reduce((sum, weight, i) => (i % BINS === bin ? sum + weight : sum), 0);
  t.is(covered(0), 0, "nothing below 20 Hz");
  for (const bin of [20, 100, 200]) t.true(Math.abs(covered(bin) - 1) < 1e-5, `bin ${bin}: ${covered(bin)}`);
});

test("a vector is of the voice: not of the level, the batch or the length", async (t) => {
  t.timeout(600_000, "the first run downloads 81 MB");
  const directory = await ensure("campplus", { dir: defaultModelsDirectory(process.env) });
  const session = await load(join(directory, "speaker.onnx"));
  const random = noise(2);
  // A buzz with formants is voice enough for the arithmetic; voices of people are in test/speech.
  const buzz = (pitch: number, formant: number, seconds: number) =>
    Float32Array.from({ length: seconds * 16_000 }, (_, i) => {
      const phase = (i * pitch) / 16_000;
      const pulse = Math.exp(-((phase % 1) * formant) / 40) * Math.sin((2 * Math.PI * i * formant) / 16_000);
      return 0.2 * pulse + 0.002 * random();
    });
  const embed = async (rows: Float32Array[]) => {
    const length = rows[0]?.length ?? 0;
    const audio = new Float32Array(rows.length * length);
    for (const [i, row] of rows.entries()) audio.set(row, i * length);
    const outputs = await session.run({ audio: f32(audio, [rows.length, length]) });
    const all = floatsOf(outputs, "embedding");
    return rows.map((_, i) => all.slice(i * 192, (i + 1) * 192));
  };
  const cosine = (a: Float32Array, b: Float32Array) =>
    a.reduce((sum, value, i) => sum + value * (b[i] as number), 0) / (Math.hypot(...a) * Math.hypot(...b));
  const low = buzz(100, 700, 1.5);
  const high = buzz(220, 1_900, 1.5);
  const [alone] = await embed([low]);
  const [beside, other] = await embed([low, high]);
  const [quiet] = await embed([low.map((value) => value / 8)]);
  const [longer] = await embed([buzz(100, 700, 2)]);
  t.is(alone?.length, 192);
  t.true(cosine(alone as Float32Array, beside as Float32Array) > 0.99999);
  t.true(cosine(alone as Float32Array, quiet as Float32Array) > 0.99);
  t.true(cosine(alone as Float32Array, longer as Float32Array) > 0.9);
  const apart = cosine(alone as Float32Array, other as Float32Array);
  t.true(apart < 0.9 && apart < cosine(alone as Float32Array, longer as Float32Array), `${apart}`);
});
