import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import anyOrder from "ava";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { defaultModelsDirectory, ensure } from "../../models/ensure.ts";
import { decodeAudio } from "../../speech/decode/decode.ts";
import { CorruptAudio } from "../../speech/decode/errors.ts";
import { isUnguarded } from "../../speech/plan.ts";
import { type PrepareProgress, prepareAudio } from "../../speech/prepare.ts";
import { probeAudio } from "../../speech/probe.ts";
import { ownSpans } from "../../speech/spans.ts";
import type { Plan } from "../../speech/types.ts";
import { VoiceDetector } from "../../speech/voice-activity/detect.ts";
import { VoiceDetectors } from "../../speech/voice-activity/detectors.ts";
import { energySpans } from "../../speech/voice-activity/energy.ts";
import { speechSpans } from "../../speech/voice-activity/spans.ts";
import { join as concatenate, noise, silence, voice, wavHeader, writeWav } from "./sound.ts";

// One process at a time: each starts two of its own.
const test = anyOrder.serial;

const directory = mkdtempSync(join(tmpdir(), "escriba-prepare-"));
anyOrder.after.always(() => rmSync(directory, { recursive: true, force: true }));

let sileroVad = "";
anyOrder.before(async () => {
  sileroVad = await ensure("silero-vad", { dir: defaultModelsDirectory(process.env) });
});

/** 20 dB less. */
function softer(value: number): number {
  return value / 10;
}

/** For one recording: its process ends with it. */
const own = (model: string) => new VoiceDetectors(model, { keep: 0 });

function prepare(name: string, options: Partial<Parameters<typeof prepareAudio>[0]> = {}): Promise<Plan> {
  const source = join(directory, name);
  return prepareAudio({ source, pcm: `${source}.s16`, detectors: own(sileroVad), ...options });
}

test("speech between silences is found with room around it, and nothing else", async (t) => {
  writeWav(join(directory, "call.wav"), [concatenate(silence(4), voice(6), silence(5), voice(3), silence(4))], 16_000);
  const plan = await prepare("call.wav");
  t.like(plan, { version: 1, samples: 22 * 16_000, durationMs: 22_000, channels: 1, stereo: false, warnings: [] });
  t.is(plan.chunks.length, 1);
  const spans = plan.chunks[0]?.windows[0]?.spans ?? [];
  t.is(spans.length, 2);
  for (const [i, [start, end]] of [
    [4, 10],
    [15, 18],
  ].entries()) {
    const span = spans[i];
    t.true(!!span && span.start <= (start as number) * 16_000 && span.start > ((start as number) - 0.7) * 16_000);
    t.true(!!span && span.end >= ((end as number) - 0.3) * 16_000 && span.end < ((end as number) + 0.7) * 16_000);
  }
  t.is((await probeAudio(join(directory, "call.wav"))).durationMs, plan.durationMs);
  t.is(statSync(join(directory, "call.wav.s16")).size, plan.samples * 2);
});

test("preparing twice gives the same plan", async (t) => {
  writeWav(join(directory, "twice.wav"), [voice(40, 8_000)], 8_000, "mulaw");
  t.deepEqual(await prepare("twice.wav"), await prepare("twice.wav"));
});

test("two voices on two sides are told as stereo", async (t) => {
  const sides = [concatenate(voice(3), silence(3)), concatenate(silence(3), voice(3, 16_000, 200))];
  writeWav(join(directory, "sides.wav"), sides, 16_000);
  const plan = await prepare("sides.wav");
  t.like(plan, { channels: 2, stereo: true, warnings: ["stereo_source_available"] });
  t.true(plan.speechMs > 5_000);
});

test("silence has no chunks", async (t) => {
  writeWav(join(directory, "silence.wav"), [silence(20)], 16_000);
  t.like(await prepare("silence.wav"), { chunks: [], speechMs: 0, durationMs: 20_000, warnings: [] });
});

test("a millisecond has a plan", async (t) => {
  writeWav(join(directory, "short.wav"), [silence(0.001)], 16_000);
  t.like(await prepare("short.wav"), { chunks: [], samples: 16, durationMs: 1 });
});

test("the sample call is heard whole", async (t) => {
  const source = new URL("../../embedded/sample/call.ogg", import.meta.url).pathname;
  const plan = await prepare("call.ogg", { source });
  t.is((await probeAudio(source)).durationMs, plan.durationMs);
  t.true(plan.speechMs > plan.durationMs / 2);
});

test("without voice detection all that may be speech is planned, cut where it is quietest, with a warning", async (t) => {
  const hiss = noise(60, 0.001);
  const speech = concatenate(
    silence(3),
    voice(20),
    silence(0.8),
    voice(20),
    silence(10),
    voice(2).map(softer),
    silence(4.2),
  );
  writeWav(join(directory, "blind.wav"), [speech.map((value, i) => value + (hiss[i] as number))], 16_000);
  writeFileSync(join(directory, "model.onnx"), "no model");
  const plan = await prepare("blind.wav", { detectors: own(directory) });
  t.is(plan.warnings.length, 1);
  t.regex(plan.warnings[0] ?? "", /^vad_failed: \S/);
  t.true(isUnguarded(plan));
  const spans = plan.chunks.flatMap((chunk) => chunk.windows).flatMap(ownSpans);
  const heard = (from: number, to: number) =>
    spans.reduce(
      (sum, { start, end }) => sum + Math.max(0, Math.min(end, to * 16_000) - Math.max(start, from * 16_000)),
      0,
    );
  t.is(heard(3, 43.8), 40.8 * 16_000, "nothing is lost of speech and its short pauses");
  t.is(heard(53.8, 55.8), 2 * 16_000, "nor of a voice that is 20 dB softer");
  t.true(heard(45, 52.8) < 0.3 * 16_000, "silence is not heard");
  // The only quiet place between the 15th and the 30th second.
  const cut = spans[0]?.end ?? 0;
  t.true(cut >= 23 * 16_000 && cut <= 23.8 * 16_000, `cut at ${cut / 16_000} s`);
});

test("without voice detection, too, silence has no chunks", async (t) => {
  writeWav(join(directory, "blind-silence.wav"), [silence(20)], 16_000);
  writeFileSync(join(directory, "model.onnx"), "no model");
  const plan = await prepare("blind-silence.wav", { detectors: own(directory) });
  t.like(plan, { chunks: [], speechMs: 0 });
});

test("a hum that never ends is left to the recogniser's doubts", (t) => {
  const steady = new Float32Array(3_000).fill(0.1);
  t.deepEqual(energySpans(steady, 3_000 * 512), [{ start: 0, end: 3_000 * 512 }]);
});

test("hiss is no speech, and neither is it when voice detection is unsure of it for seconds", async (t) => {
  writeWav(join(directory, "hiss.wav"), [noise(120, 0.43)], 16_000);
  t.like(await prepare("hiss.wav"), { chunks: [] });
});

test("a bad recording rejects with its own error", async (t) => {
  writeFileSync(
    join(directory, "broken.wav"),
    wavHeader({ tag: 1, channels: 1, rate: 8_000, bytes: 2, dataBytes: 90_000 }),
  );
  await t.throwsAsync(prepare("broken.wav"), { instanceOf: CorruptAudio });
});

test("both stages report, and an abort in either ends the work with its reason", async (t) => {
  writeWav(join(directory, "long.wav"), [concatenate(voice(30), silence(200), voice(30))], 16_000);
  const stages: PrepareProgress["stage"][] = [];
  await prepare("long.wav", { onProgress: ({ stage }) => stages.push(stage) });
  t.deepEqual([...new Set(stages)], ["decode", "voice-activity"]);
  for (const stage of ["decode", "voice-activity"] as const) {
    const abort = new AbortController();
    const reason = new Error(`stopped in ${stage}`);
    const running = prepare("long.wav", {
      signal: abort.signal,
      onProgress: (progress) => progress.stage === stage && abort.abort(reason),
    });
    await t.throwsAsync(running, { is: reason });
  }
});

test("a probe that runs out of time finds no duration", async (t) => {
  writeWav(join(directory, "late.wav"), [voice(1)], 16_000);
  t.like(await probeAudio(join(directory, "late.wav"), { timeoutMs: 1 }), { format: "wav", durationMs: null });
});

test("spans: short dips are bridged, clicks dropped, the end of the recording kept", (t) => {
  const probabilities = new Float32Array(100);
  probabilities.fill(0.9, 10, 20);
  probabilities.fill(0.9, 23, 30); // a dip of 96 ms
  probabilities.fill(0.9, 40, 41); // 32 ms
  probabilities.fill(0.9, 60, 62); // 64 ms
  probabilities.fill(0.45, 62, 65); // sure enough to go on, not to begin
  probabilities.fill(0.9, 98, 100);
  t.deepEqual(speechSpans(probabilities, 100 * 512 - 100), [
    { start: 10 * 512, end: 30 * 512 },
    { start: 60 * 512, end: 65 * 512 },
    { start: 98 * 512, end: 100 * 512 - 100 },
  ]);
});

test("spans: what is never sure counts only within three seconds of what is", (t) => {
  const probabilities = new Float32Array(1_000);
  probabilities.fill(0.7, 10, 20); // 10 s before anything sure
  probabilities.fill(0.7, 310, 320); // 2.6 s before it
  probabilities.fill(0.9, 400, 410);
  probabilities.fill(0.6, 500, 510); // 2.9 s after it
  probabilities.fill(0.6, 700, 710);
  t.deepEqual(
    speechSpans(probabilities, 1_000 * 512).map(({ start }) => start / 512),
    [310, 400, 500],
  );
  t.deepEqual(speechSpans(probabilities.subarray(0, 300), 300 * 512), []);
});

test("voice detection hears slab by slab what it hears in one run", async (t) => {
  // 40 s are three slabs; a state lost at a border would show in the frames behind it.
  const path = join(directory, "slabs.s16");
  const samples = Int16Array.from(concatenate(voice(14), silence(1), voice(25)), (value) => value * 32_767);
  writeFileSync(path, samples);
  const detector = new VoiceDetector(sileroVad);
  const { probabilities } = await detector.detect({ path, samples: samples.length });
  await detector.close();
  const frames = samples.length / 512;
  const input = new Float32Array(frames * 576);
  for (let frame = 0; frame < frames; frame++)
    for (let i = 0; i < 576; i++) input[frame * 576 + i] = (samples[frame * 512 + i - 64] ?? 0) / 32_768;
  const session = await InferenceSession.create(join(sileroVad, "model.onnx"), { intraOpNumThreads: 1 });
  const h = new Tensor("float32", new Float32Array(128), [1, 1, 128]);
  const output = await session.run({ input: new Tensor("float32", input, [frames, 576]), h, c: h });
  const expected = output.speech_probs?.data as Float32Array;
  t.is(probabilities.length, expected.length);
  t.true(probabilities.every((probability, i) => Math.abs(probability - (expected[i] ?? -1)) < 1e-4));
  await session.release();
});

test("two hours take no more memory than ten minutes", async (t) => {
  const peaks: { decode: number; detect: number }[] = [];
  for (const seconds of [600, 7_200]) {
    // A sparse file of silence: the sizes of buffers do not depend on what is said.
    const source = join(directory, `${seconds}.wav`);
    writeFileSync(source, wavHeader({ tag: 7, channels: 2, rate: 8_000, bytes: 1, dataBytes: seconds * 16_000 }));
    truncateSync(source, 44 + seconds * 16_000);
    const path = join(directory, "memory.s16");
    const { samples, peakRssBytes } = await decodeAudio(source, path);
    // Half of it: voice detection is the slow one, and its buffers are the same for any length.
    const detector = new VoiceDetector(sileroVad);
    const detected = await detector.detect({ path, samples: samples / 2 });
    await detector.close();
    peaks.push({ decode: peakRssBytes, detect: detected.peakRssBytes });
  }
  const [short, long] = peaks;
  t.true(!!short && !!long && long.decode <= 1.2 * short.decode, JSON.stringify(peaks));
  t.true(!!short && !!long && long.detect <= 1.2 * short.detect, JSON.stringify(peaks));
  t.is(readFileSync(join(directory, "memory.s16")).length, 7_200 * 32_000);
});

test("detectors are kept from one recording to the next, and give what fresh ones give", async (t) => {
  writeWav(join(directory, "kept.wav"), [concatenate(silence(1), voice(4), silence(2))], 16_000);
  const fresh = await prepare("kept.wav");
  const detectors = new VoiceDetectors(sileroVad);
  const [one, other] = [detectors.take(), detectors.take()];
  t.not(one, other, "a recording has a detector of its own");
  await detectors.give(one);
  await detectors.give(other);
  t.is(detectors.take(), one);
  await detectors.give(one);
  for (let i = 0; i < 2; i++) t.deepEqual(await prepare("kept.wav", { detectors }), fresh);
  t.is(detectors.take(), one);
  await detectors.close();
  await detectors.give(one);
  await t.throwsAsync(one.detect({ path: join(directory, "kept.wav.s16"), samples: 16_000 }), { message: /closed/ });
});
