import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type ExecutionContext } from "ava";
import { ChildCrashed, ChildFailure } from "../../process/child-process.ts";
import { createEngine, type EngineOptions } from "../../speech/engine/engine.ts";
import { UnsupportedLanguage } from "../../speech/languages.ts";
import { assembleTranscript } from "../../speech/transcript.ts";
import type { WindowResult } from "../../speech/types.ts";
import { model, oneSpanWindows, prepareFixture, TEXTS, wordErrorRate } from "./recordings.ts";

test.before(async () => {
  await model("whisper-base");
  await model("silero-vad");
});

async function start(t: ExecutionContext, options: Partial<EngineOptions> = {}) {
  const engine = createEngine({ modelDir: await model("whisper-base"), threads: 1, ...options });
  t.teardown(() => engine.close());
  return engine;
}

const withoutTime = ({ computeMs, ...result }: WindowResult) => result;

for (const language of ["en", "es"] as const) {
  test.serial(`hears the language of a ${language} call and writes down its words with times`, async (t) => {
    const { pcm, plan, windows } = await prepareFixture(t, `call-${language}.ogg`);
    const engine = await start(t);
    const found = await engine.identify({ pcm, windows });
    t.is(found.language, language);
    t.true(found.confidence > 0.8);
    t.deepEqual(found.warnings, []);

    const results: WindowResult[] = [];
    let beats = 0;
    await engine.recognise(
      { pcm, windows, language: found.language },
      { onWindow: (result) => results.push(result), onProgress: () => beats++ },
    );
    t.true(beats >= windows.length);
    const transcript = await assembleTranscript(plan, found, results);
    const rate = wordErrorRate(TEXTS[language], transcript.text);
    t.true(rate <= (language === "en" ? 0.02 : 0.12), `${rate}: ${transcript.text}`);

    // Each word lies in the speech that the plan found, and inside its utterance.
    const spans = windows.flatMap((window) => window.spans);
    let earliest = 0;
    for (const word of transcript.words) {
      t.true(word.start >= earliest && word.end > word.start, JSON.stringify(word));
      earliest = word.end;
      const heard = spans.some(({ start, end }) => word.start * 16_000 >= start - 16 && word.end * 16_000 <= end + 16);
      t.true(heard, JSON.stringify(word));
      t.true(transcript.utterances.some(({ start, end }) => word.start >= start && word.end <= end));
    }
    t.true(earliest <= plan.durationMs / 1_000);
  });
}

test.serial("a turn starts where its first word was synthesised", async (t) => {
  const { pcm, windows } = await prepareFixture(t, "call-en.ogg");
  const engine = await start(t);
  const words: { text: string; start: number; end: number }[] = [];
  await engine.recognise(
    { pcm, windows, language: "en" },
    { onWindow: ({ segments }) => words.push(...segments.flatMap((segment) => segment.words)) },
  );
  // Onsets read off the waveform of the fixture.
  for (const [text, onset] of TURNS) {
    const word = words.find((candidate) => candidate.text === text && Math.abs(candidate.start - onset) < 2);
    t.truthy(word, text);
    t.true(Math.abs((word?.start ?? 0) - onset) <= 0.2, `${text} ${word?.start} ${onset}`);
  }
});

const TURNS: [string, number][] = [
  ["Good", 0.72],
  ["Hello,", 6.97],
  ["Of", 14.65],
  ["I", 19.9],
  ["Yes,", 26.95],
  ["That", 34.86],
];

test.serial("the text does not depend on how many windows are decoded side by side", async (t) => {
  const { pcm, windows } = await prepareFixture(t, "call-en.ogg");
  const small = oneSpanWindows(windows);
  t.true(small.length >= 5);
  const heard: WindowResult[][] = [];
  for (const batch of [1, 2, 8]) {
    const engine = await start(t, { batch });
    const results: WindowResult[] = [];
    await engine.recognise({ pcm, windows: small, language: "en" }, { onWindow: (result) => results.push(result) });
    heard.push(results.toSorted((a, b) => a.index - b.index));
    await engine.close();
  }
  const texts = heard.map((results) => JSON.stringify(results.map(({ segments }) => segments.map(({ text }) => text))));
  t.is(texts[1], texts[0]);
  t.is(texts[2], texts[0]);
});

test.serial("a repeat gives the same result to the byte", async (t) => {
  const { pcm, windows } = await prepareFixture(t, "call-es.ogg");
  const engine = await start(t);
  const runs: WindowResult[] = [];
  for (let run = 0; run < 2; run++) {
    await engine.recognise({ pcm, windows, language: "es" }, { onWindow: (result) => runs.push(result) });
  }
  const half = runs.length / 2;
  t.deepEqual(runs.slice(half).map(withoutTime), runs.slice(0, half).map(withoutTime));
});

test.serial("hints and allowed languages narrow the choice, and one language is no question", async (t) => {
  const { pcm, windows } = await prepareFixture(t, "call-es.ogg");
  const engine = await start(t);
  const narrowed = await engine.identify({ pcm, windows, hints: ["pt", "ca"] });
  t.true(["pt", "ca"].includes(narrowed.language));
  t.deepEqual(await engine.identify({ pcm, windows, hints: ["ca"] }), {
    language: "ca",
    confidence: 1,
    warnings: [],
  });
  t.is((await engine.identify({ pcm, windows, allowed: ["en", "es"], hints: ["en", "es"] })).language, "es");
  t.is((await engine.identify({ pcm, windows, allowed: ["en", "es"], hints: ["de"] })).language, "es");
  await t.throwsAsync(engine.identify({ pcm, windows, allowed: ["en", "yue"] }), { instanceOf: UnsupportedLanguage });
});

test("silence has the first hint's language, or none", async (t) => {
  const engine = await start(t);
  const pcm = { path: "/nowhere", offset: 0, length: 0 };
  t.deepEqual(await engine.identify({ pcm, windows: [], hints: ["gl", "es"] }), {
    language: "gl",
    confidence: 0,
    warnings: [],
  });
  t.deepEqual(await engine.identify({ pcm, windows: [] }), { language: "und", confidence: 0, warnings: [] });
  await engine.recognise({ pcm, windows: [], language: "es" }, { onWindow: () => t.fail() });
  t.is(engine.pid, undefined);
});

test.serial("windows outside the audio, absent models and unknown languages are said plainly", async (t) => {
  const { pcm } = await prepareFixture(t, "call-es.ogg");
  const engine = await start(t);
  const onWindow = () => t.fail();
  const beyond = [{ index: 0, spans: [{ start: pcm.length - 10, end: pcm.length + 10 }] }];
  const outside = await t.throwsAsync(engine.recognise({ pcm, windows: beyond, language: "es" }, { onWindow }), {
    instanceOf: ChildFailure,
  });
  t.is(outside.kind, "SpanOutside");
  const long = [{ index: 0, spans: [{ start: 0, end: 480_001 }] }];
  await t.throwsAsync(
    engine.recognise({ pcm: { ...pcm, length: 500_000 }, windows: long, language: "es" }, { onWindow }),
    { instanceOf: ChildFailure, message: /more than 30 s/ },
  );
  await t.throwsAsync(engine.recognise({ pcm, windows: beyond, language: "xx" }, { onWindow }), {
    instanceOf: UnsupportedLanguage,
  });
  const bare = await start(t, { modelDir: tmpdir() });
  await t.throwsAsync(bare.recognise({ pcm, windows: beyond, language: "es" }, { onWindow }), {
    instanceOf: ChildFailure,
    message: /config\.json/,
  });
});

test.serial("a model that knows English only cannot tell languages, and says so", async (t) => {
  const { pcm, windows } = await prepareFixture(t, "call-es.ogg");
  const directory = await mkdtemp(join(tmpdir(), "escriba-english-"));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const whole = await model("whisper-base");
  for (const name of await readdir(whole)) await symlink(join(whole, name), join(directory, name));
  const file = join(directory, "generation_config.json");
  const generation = JSON.parse(await readFile(file, "utf8"));
  await rm(file);
  await writeFile(file, JSON.stringify({ ...generation, is_multilingual: false }));
  const engine = await start(t, { modelDir: directory });
  const failure = await t.throwsAsync(engine.identify({ pcm, windows }), { instanceOf: ChildFailure });
  t.is(failure.kind, "LanguagesUnavailable");
});

test.serial("a killed child costs what was not reported, and the next call goes on with a new one", async (t) => {
  const { pcm, windows } = await prepareFixture(t, "call-en.ogg");
  const small = oneSpanWindows(windows);
  const engine = await start(t, { batch: 1 });
  const results: WindowResult[] = [];
  const broken = engine.recognise(
    { pcm, windows: small, language: "en" },
    {
      onWindow: (result) => {
        results.push(result);
        if (results.length === 2) process.kill(engine.pid as number, "SIGKILL");
      },
    },
  );
  await t.throwsAsync(broken, { instanceOf: ChildCrashed });
  const done = results.length;
  t.true(done >= 2 && done < small.length);
  await engine.recognise(
    { pcm, windows: small.slice(done), language: "en" },
    { onWindow: (result) => results.push(result) },
  );
  t.deepEqual(
    results.map(({ index }) => index),
    small.map(({ index }) => index),
  );
  const text = results.flatMap(({ segments }) => segments.map((segment) => segment.text)).join(" ");
  t.true(wordErrorRate(TEXTS.en, text) <= 0.1, text);
});

test.serial("an abort rejects with its reason", async (t) => {
  const { pcm, windows } = await prepareFixture(t, "call-en.ogg");
  const engine = await start(t);
  const controller = new AbortController();
  const reason = new Error("no longer wanted");
  const call = engine.recognise(
    { pcm, windows, language: "en" },
    { onWindow: () => undefined, onProgress: () => controller.abort(reason), signal: controller.signal },
  );
  t.is(await t.throwsAsync(call), reason);
});
