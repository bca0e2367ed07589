import test from "ava";
import { assembleTranscript, IncompleteRecognition } from "../../speech/transcript.ts";
import type { LanguageResult, Plan, Segment, WindowResult } from "../../speech/types.ts";

const english: LanguageResult = { language: "en", confidence: 0.9, warnings: ["lid_tie:en~es"] };

const plan = (windows: number, change: Partial<Plan> = {}): Plan => ({
  version: 1,
  sampleRate: 16_000,
  samples: 960_000,
  durationMs: 60_000,
  speechMs: 30_000,
  channels: 2,
  stereo: true,
  chunks: [
    {
      index: 0,
      start: 0,
      end: 960_000,
      windows: Array.from({ length: windows }, (_, index) => ({
        index,
        spans: [{ start: index * 160_000, end: (index + 1) * 160_000 }],
      })),
    },
  ],
  warnings: ["stereo_source_available"],
  ...change,
});

/** Words of half a second, without pauses between them. */
const segment = (start: number, text: string): Segment => {
  const words = text.split(" ").map((word, index) => ({
    text: word,
    start: start + index / 2,
    end: start + (index + 1) / 2,
  }));
  return { text, start, end: words.at(-1)?.end ?? start, words };
};

const result = (index: number, segments: Segment[], change: Partial<WindowResult> = {}): WindowResult => ({
  index,
  language: "en",
  segments,
  averageLogprob: -0.2,
  tokens: 10,
  retries: [],
  computeMs: 500,
  ...change,
});

async function* later(results: WindowResult[]): AsyncGenerator<WindowResult> {
  for (const one of results) yield one;
}

test("terms are counted over the windows, unless one of them could not look for any", async (t) => {
  const found = async (...counts: (number | null | undefined)[]) => {
    const results = counts.map((terms, index) => result(index, [], terms === undefined ? {} : { terms }));
    return (await assembleTranscript(plan(counts.length), english, results)).terms;
  };
  t.is(await found(2, 0, 3), 5);
  t.is(await found(2, null), null);
  t.is(await found(2, undefined), undefined);
  t.is(await found(), undefined);
});

test("sentences become utterances, across windows, and everything adds up", async (t) => {
  const transcript = await assembleTranscript(
    plan(3),
    english,
    later([
      result(2, [segment(21.2, "Yes, it is.")], { retries: ["split"] }),
      result(0, [segment(1, "Hello there."), segment(2.2, "I would")]),
      result(1, [segment(3.5, "like to know."), segment(8, "When"), segment(10, "exactly?")]),
    ]),
  );
  t.deepEqual(
    transcript.utterances.map(({ text, start, end }) => [text, start, end]),
    [
      ["Hello there.", 1, 2],
      ["I would like to know.", 2.2, 5],
      ["When", 8, 8.5],
      ["exactly?", 10, 10.5],
      ["Yes, it is.", 21.2, 22.7],
    ],
  );
  t.is(transcript.text, transcript.utterances.map(({ text }) => text).join(" "));
  t.is(transcript.words.map(({ text }) => text).join(" "), transcript.text);
  t.true(transcript.utterances.every(({ speaker, speakerRole }) => speaker === null && speakerRole === null));
  t.is(transcript.speakerRoleConfidence, 0);
  t.is(transcript.language, "en");
  t.is(transcript.languageConfidence, 0.9);
  t.is(transcript.durationMs, 60_000);
  t.is(transcript.speechMs, 30_000);
  t.deepEqual(transcript.warnings, ["stereo_source_available", "lid_tie:en~es", "diarization_unavailable"]);
  t.deepEqual(transcript.metrics, { chunks: 1, windows: 3, retriedWindows: 1, tokens: 30, asrSeconds: 1.5 });
});

test("speech without full stops is cut after 20 s", async (t) => {
  const run = Array.from({ length: 12 }, (_, index) => segment(index * 2.5, "and on and on,"));
  const { utterances } = await assembleTranscript(plan(1), english, [result(0, run)]);
  t.true(utterances.length > 1);
  for (const { start, end } of utterances) t.true(end - start <= 22.5);
});

test("words stay inside the audio and in order", async (t) => {
  const overlapping = [segment(58, "at the end of it"), segment(58.4, "all")];
  const { words, utterances } = await assembleTranscript(plan(1, { durationMs: 59_250 }), english, [
    result(0, overlapping),
  ]);
  let earliest = 0;
  for (const { start, end } of words) {
    t.true(start >= earliest && end > start && end <= 59.25, `${start} ${end}`);
    earliest = end;
    t.true(utterances.some((utterance) => start >= utterance.start && end <= utterance.end));
  }
  t.deepEqual(words[0], { text: "at", start: 58, end: 58.5 });
});

test("languages without spaces are joined without", async (t) => {
  const japanese = { ...english, language: "ja" };
  const pieces = [
    { ...segment(1, "今日 は"), text: "今日は" },
    { ...segment(2.2, "晴れ。"), text: "晴れ。" },
  ];
  const { text } = await assembleTranscript(plan(1), japanese, [result(0, pieces, { language: "ja" })]);
  t.is(text, "今日は晴れ。");
});

test("each language is joined in its own way, and no utterance holds two", async (t) => {
  const pieces = [
    { ...segment(1, "今日 は"), text: "今日は", language: "ja" },
    { ...segment(2.2, "晴れ。"), text: "晴れ。", language: "ja" },
    segment(3.2, "and then"),
    segment(4.3, "it rained."),
  ];
  const { utterances } = await assembleTranscript(plan(1), english, [result(0, pieces)]);
  t.deepEqual(
    utterances.map(({ text }) => text),
    ["今日は晴れ。", "and then it rained."],
  );
});

test("the transcript's language is the one most speech was decoded in", async (t) => {
  const part = (language: string, seconds: number) => ({ language, seconds, probabilities: { [language]: 1 } });
  const windows = [
    result(0, [segment(1, "Hello.")], { languages: [part("en", 10)] }),
    result(1, [segment(11, "Buenos días a todos.")], { language: "es", languages: [part("es", 20), part("en", 5)] }),
  ];
  const transcript = await assembleTranscript(plan(2), english, windows);
  t.is(transcript.language, "es");
  t.is(transcript.languageConfidence, 20 / 35);
  t.false(transcript.warnings.some((warning) => warning.startsWith("lid_")));
});

test("where voice detection failed, unlikely texts are left out", async (t) => {
  const windows = [result(0, [segment(1, "Hello.")]), result(1, [segment(11, "Thank you.")], { averageLogprob: -1.2 })];
  t.is((await assembleTranscript(plan(2), english, windows)).text, "Hello. Thank you.");
  const blind = plan(2, { warnings: ["vad_failed: no model"] });
  t.is((await assembleTranscript(blind, english, windows)).text, "Hello.");
});

test("silence is a transcript without words", async (t) => {
  const none = { language: "und", confidence: 0, warnings: [] };
  const silent = await assembleTranscript(plan(0, { warnings: [], chunks: [] }), none, []);
  t.is(silent.text, "");
  t.deepEqual(silent.words, []);
  t.deepEqual(silent.utterances, []);
  t.is(silent.language, "und");
  t.is(silent.languageConfidence, 0);
  t.deepEqual(silent.warnings, ["asr_no_segments", "diarization_unavailable"]);
  const nothingHeard = await assembleTranscript(plan(1), english, [result(0, [])]);
  t.true(nothingHeard.warnings.includes("asr_no_segments"));
});

test("a window without a result is an error, not a hole", async (t) => {
  const error = await t.throwsAsync(assembleTranscript(plan(2), english, [result(0, [])]), {
    instanceOf: IncompleteRecognition,
  });
  t.is(error.window, 1);
});
