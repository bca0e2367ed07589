import { open } from "node:fs/promises";
import test, { type ExecutionContext } from "ava";
import { readSpans } from "../../speech/engine/window-audio.ts";
import { spokenSamples } from "../../speech/spans.ts";
import type { Span, WindowResult } from "../../speech/types.ts";
import { type Attempt, isConvincing, withSpan, wordsOf } from "../../speech/whisper/attempt.ts";
import { decodeByBeams } from "../../speech/whisper/beam.ts";
import { averageLogprob, UNSURE_LOGPROB } from "../../speech/whisper/guards.ts";
import { type Hearing, Listener } from "../../speech/whisper/listener.ts";
import { loadWhisper, type WhisperModel, WINDOW_SAMPLES } from "../../speech/whisper/model.ts";
import { longestPause } from "../../speech/whisper/pause.ts";
import { Recogniser } from "../../speech/whisper/recogniser.ts";
import { isRight, retry } from "../../speech/whisper/retry.ts";
import { Stepper } from "../../speech/whisper/step.ts";
import { decodeWithTimestamps } from "../../speech/whisper/timestamps.ts";
import { model, prepareFixture, TEXTS, wordErrorRate } from "./recordings.ts";

let whisper: WhisperModel;
test.before(async () => {
  await model("silero-vad");
  whisper = await loadWhisper(await model("whisper-base"), { threads: 1 });
});

/** The first window of a fixture, encoded. */
async function hear(t: ExecutionContext, name: string) {
  const { pcm, windows } = await prepareFixture(t, name);
  const spans = windows[0]?.spans as Span[];
  const audio = new Float32Array(WINDOW_SAMPLES);
  const handle = await open(pcm.path);
  await readSpans(handle, pcm, spans, audio);
  await handle.close();
  const stepper = new Stepper(whisper, { windows: 1, rows: 5 });
  await stepper.cross.encode(0, audio);
  return { stepper, frames: Math.ceil(spokenSamples(spans) / 320) };
}

for (const decode of [decodeWithTimestamps, decodeByBeams]) {
  test.serial(`${decode.name} writes down the words too`, async (t) => {
    const { stepper, frames } = await hear(t, "call-es.ogg");
    const decoded = await decode(stepper, { language: "es", frames, limit: 200 });
    t.is(decoded.stop, "end");
    const text = whisper.vocabulary.text(decoded.tokens);
    t.true(wordErrorRate(TEXTS.es, text) <= 0.12, text);
    t.is(decoded.attention.rows, decoded.tokens.length + 1);
    t.true(decoded.logprob < 0 && decoded.logprob / decoded.chosen > -1);
  });
}

test.serial("beams find a text at least as likely as greedy decoding does", async (t) => {
  const { stepper, frames } = await hear(t, "call-es.ogg");
  const beams = await decodeByBeams(stepper, { language: "es", frames, limit: 200 });
  const { pcm, windows } = await prepareFixture(t, "call-es.ogg");
  const handle = await open(pcm.path);
  t.teardown(() => handle.close());
  const results: WindowResult[] = [];
  await new Recogniser(whisper, 1).recognise(windows.slice(0, 1), {
    language: "es",
    read: (spans, audio) => readSpans(handle, pcm, spans, audio),
    onBeat: () => undefined,
    onWindow: (result) => results.push(result),
  });
  t.true(beams.logprob / beams.chosen >= (results[0]?.averageLogprob as number));
});

test.serial("a text that greedy decoding is unsure of is the beams' own, a sure one is left alone", async (t) => {
  for (const [name, language] of [
    ["call-es.ogg", "es"],
    ["call-en.ogg", "en"],
  ] as const) {
    const { stepper, frames } = await hear(t, name);
    const { pcm, windows } = await prepareFixture(t, name);
    const handle = await open(pcm.path);
    t.teardown(() => handle.close());
    const results: WindowResult[] = [];
    await new Recogniser(whisper, 1).recognise(windows.slice(0, 1), {
      language,
      read: (spans, audio) => readSpans(handle, pcm, spans, audio),
      onBeat: () => undefined,
      onWindow: (result) => results.push(result),
    });
    const [result] = results as [WindowResult];
    if (language === "en") {
      t.deepEqual(result.retries, []);
      t.true(result.averageLogprob >= UNSURE_LOGPROB);
    } else {
      t.deepEqual(result.retries, ["beam"]);
      const beams = await decodeByBeams(stepper, { language, frames, limit: 200 });
      t.is(result.averageLogprob, averageLogprob(beams));
    }
  }
});

test.serial("sound without speech goes through every retry and leaves no invented text", async (t) => {
  // A linear congruential generator: the same noise on every machine.
  let state = 1;
  const noise = Float32Array.from({ length: 64_000 }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return (state / 2_147_483_648 - 0.5) * 0.3;
  });
  const results: WindowResult[] = [];
  let beats = 0;
  await new Recogniser(whisper, 1).recognise([{ index: 7, spans: [{ start: 0, end: noise.length }] }], {
    language: "en",
    read: async (spans, audio) => {
      let at = 0;
      for (const { start, end } of spans) {
        audio.set(noise.subarray(start, end), at);
        at += end - start;
      }
      audio.fill(0, at);
    },
    onBeat: () => beats++,
    onWindow: (result) => results.push(result),
  });
  t.is(results.length, 1);
  t.is(results[0]?.index, 7);
  t.deepEqual(results[0]?.retries, ["split", "timestamps", "beam"]);
  t.deepEqual(results[0]?.segments, []);
  t.true(beats > 3);
});

test.serial("speech that a text leaves out is heard again alone and put in its place", async (t) => {
  const { pcm, windows } = await prepareFixture(t, "call-en.ogg");
  const spans = windows[0]?.spans as Span[];
  t.true(spans.length >= 3);
  const handle = await open(pcm.path);
  t.teardown(() => handle.close());
  const hearing: Hearing = {
    language: "en",
    read: (some, audio) => readSpans(handle, pcm, some, audio),
    onBeat: () => undefined,
  };
  const listener = new Listener(whisper, 1);
  await listener.hear(spans, hearing);
  let whole: Attempt | undefined;
  await listener.greedy([{ spans, language: "en" }], hearing, (_, attempt) => {
    whole = attempt;
  });
  const complete = whole as Attempt;
  t.true(isRight(complete));
  const silent = { ...complete, pieces: [] };
  const left = spans[1] as Span;
  const holed = { ...withSpan(complete, left, silent), uncovered: [left] };
  const texts = (attempt: Pick<Attempt, "pieces">) => wordsOf(attempt).map(({ raw }) => raw.trim().toLowerCase());
  t.true(texts(holed).length < texts(complete).length);
  t.false(isRight(holed));

  const found = await retry(listener, spans, holed, hearing);
  t.deepEqual(found.reasons, ["uncovered"]);
  t.deepEqual(found.retries, ["span"]);
  t.true(wordErrorRate(texts(complete).join(" "), found.words.map(({ raw }) => raw).join(" ")) <= 0.05);
  t.deepEqual(
    found.words.map(({ start }) => start),
    found.words.map(({ start }) => start).toSorted((a, b) => a - b),
  );
});

test("what fills a hole must be sure of itself and without faults", (t) => {
  const words = [{ raw: " yes", start: 0, end: 10 }];
  const alone: Attempt = {
    pieces: [{ spans: [], tokens: [], each: [], written: [], words }],
    uncovered: [],
    guards: [],
    logprob: -0.4,
    chosen: 2,
    generated: 2,
  };
  t.true(isConvincing(alone));
  t.false(isConvincing({ ...alone, logprob: -1.1 }));
  t.false(isConvincing({ ...alone, guards: ["compression"] }));
  t.false(isConvincing({ ...alone, pieces: [] }));
});

test("a window is split at its longest pause, away from its ends, else where it is quietest", (t) => {
  const audio = new Float32Array(WINDOW_SAMPLES).fill(0.1);
  const spans = [
    { start: 0, end: 1_000 },
    { start: 90_000, end: 99_000 },
    { start: 99_500, end: 104_500 },
    { start: 110_000, end: 115_000 },
  ];
  t.is(longestPause(spans, audio), 15_000);
  audio.fill(0, 40_000, 48_000);
  const cut = longestPause([{ start: 0, end: 100_000 }], audio);
  t.true(cut >= 40_000 && cut <= 48_000);
});
