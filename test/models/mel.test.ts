import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { Graph } from "../../models/onnx/graph.ts";
import { writeOnnx } from "../../models/onnx/write.ts";
import { logMel } from "../../models/whisper/encode-graph.ts";
import { melFilters } from "../../models/whisper/mel.ts";
import { f32, floatsOf, load } from "./session.ts";
import { generator } from "./tiny-whisper.ts";

const MELS = 80;
const FRAMES = 100;
const SAMPLES = FRAMES * 160;

test("the graph's log-mel is the textbook's", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "escriba-mel-"));
  t.teardown(() => rm(directory, { recursive: true }));
  const graph = new Graph("mel");
  graph.input("audio", "f32", [1, SAMPLES]);
  graph.node("Identity", [logMel(graph, "audio", MELS)], {}, "mel");
  graph.output("mel", "f32", [1, MELS, FRAMES]);
  const path = join(directory, "mel.onnx");
  await writeOnnx(graph, path, { producer: "test", version: "1" });

  const random = generator(3);
  const audio = Float32Array.from({ length: SAMPLES }, (_, i) => {
    const tone = Math.sin((2 * Math.PI * 440 * i) / 16_000) * 0.4 + Math.sin((2 * Math.PI * 3_000 * i) / 16_000) * 0.1;
    return i < SAMPLES / 2 ? tone + random() * 0.01 : 0; // the silent half reaches the floor
  });
  const session = await load(path);
  const outputs = await session.run({ audio: f32(audio, [1, SAMPLES]) });
  t.deepEqual(outputs.mel?.dims, [1, MELS, FRAMES]);
  const expected = reference(audio);
  const worst = floatsOf(outputs, "mel").reduce(
    (most, value, i) => Math.max(most, Math.abs(value - (expected[i] as number))),
    0,
  );
  t.true(worst < 2e-3, `worst difference ${worst}`);
  t.true(Math.max(...expected) - Math.min(...expected) === 2, "8 decades between peak and floor, over 4");
});

test("filters have Slaney's shape", (t) => {
  // librosa.filters.mel(sr=16000, n_fft=400, n_mels=80): the first filters peak at bins 1 and 2, weights of 0.0249.
  const filters = melFilters(80);
  const row = (mel: number) => filters.subarray(mel * 201, (mel + 1) * 201);
  t.true(Math.abs((row(0)[1] as number) - 0.02486259490251541) < 1e-8);
  t.is(row(0)[0], 0);
  for (let mel = 0; mel < 80; mel++)
    t.true(
      row(mel).some((weight) => weight > 0),
      `filter ${mel}`,
    );
});

/** Straight from the definition in 64-bit floats: mirror, window, discrete Fourier transform, filters, logarithm. */
function reference(audio: Float32Array): Float64Array {
  const filters = melFilters(MELS);
  const at = (i: number) => audio[i < 0 ? -i : i >= SAMPLES ? 2 * (SAMPLES - 1) - i : i] as number;
  const mel = new Float64Array(MELS * FRAMES);
  for (let frame = 0; frame < FRAMES; frame++) {
    const windowed = Float64Array.from(
      { length: 400 },
      (_, i) => at(frame * 160 + i - 200) * Math.sin((Math.PI * i) / 400) ** 2,
    );
    const power = Float64Array.from({ length: 201 }, (_, bin) => {
      let [re, im] = [0, 0];
      for (let i = 0; i < 400; i++) {
        re += (windowed[i] as number) * Math.cos((2 * Math.PI * bin * i) / 400);
        im -= (windowed[i] as number) * Math.sin((2 * Math.PI * bin * i) / 400);
      }
      return re * re + im * im;
    });
    for (let m = 0; m < MELS; m++) {
      let energy = 0;
      for (let bin = 0; bin < 201; bin++) energy += (filters[m * 201 + bin] as number) * (power[bin] as number);
      mel[m * FRAMES + frame] = Math.log10(Math.max(energy, 1e-10));
    }
  }
  const floor = mel.reduce((a, b) => Math.max(a, b)) - 8;
  return mel.map((value) => (Math.max(value, floor) + 4) / 4);
}
