import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { writeDetails } from "../../../eval/speech/details.ts";
import { type Measured, utterancesOf } from "../../../eval/speech/figures/measured.ts";
import { rowsOf } from "../../../eval/speech/figures/rows.ts";
import { type Normaliser, startNormaliser } from "../../../eval/speech/measure/normaliser.ts";
import { inTurn } from "../../../eval/speech/run/all.ts";
import type { Recording } from "../../../eval/speech/sets/types.ts";
import type { Utterance } from "../../../speech/types.ts";

let normaliser: Normaliser;
test.before(async () => {
  normaliser = await startNormaliser();
});
test.after.always(() => normaliser?.close());

/** A word a second, 0.4 s long. */
const words = (text: string, speaker = "0", from = 0, language = "en") =>
  text.split(" ").map((word, i) => ({ text: word, start: from + i, end: from + i + 0.4, speaker, language }));

const recording = (id: string, changes: Partial<Recording>): Recording => ({
  id,
  set: "natural",
  split: "held-out",
  language: "en",
  path: `/nowhere/${id}.wav`,
  durationMs: 3_600_000,
  ...changes,
});

const utterance = (text: string, start: number, end: number, changes: Partial<Utterance> = {}): Utterance => ({
  speaker: null,
  speakerRole: null,
  text,
  start,
  end,
  ...changes,
});

/** Hears `text` a word a second, 0.1 s late, in one window over everything. */
function heard(of: Recording, text: string, changes: Partial<Measured["transcript"]> = {}): Measured {
  const spoken =
    text === "" ? [] : words(text).map(({ text: word, start, end }) => ({ text: word, start: start + 0.1, end }));
  return {
    recording: of,
    windows: [{ language: "en", spans: [{ start: 0, end: 100 }] }],
    transcript: {
      language: "en",
      languageConfidence: 1,
      durationMs: of.durationMs,
      speechMs: of.durationMs,
      text,
      words: spoken,
      utterances: text === "" ? [] : [utterance(text, 0, spoken.length)],
      speakerRoleConfidence: 0,
      warnings: ["diarization_unavailable"],
      metrics: { chunks: 1, windows: 1, retriedWindows: 0, tokens: 1, asrSeconds: 1 },
      ...changes,
    },
  };
}

const NATURAL = "one fine day we went to town";
const people = recording("people", { words: words(NATURAL), text: NATURAL });
const untimed = recording("untimed", {
  text: "we came home again",
  turns: [{ speaker: "0", start: 0, end: 4, text: "we came home again" }],
});
const call = recording("call", {
  set: "call",
  words: [...words("good morning", "0"), ...words("my bill is wrong", "1", 2)],
  turns: [
    { speaker: "0", start: 0, end: 2 },
    { speaker: "1", start: 2, end: 6 },
  ],
});
const roleCall = recording("role", {
  set: "roles",
  turns: call.turns ?? [],
  roles: { "0": "agent", "1": "customer" },
  expectation: "attributed",
});
const listed = recording("listed", { set: "vocabulary", text: "my zenbrix is broken", vocabulary: ["Zenbrix"] });
const unsaid = recording("unsaid", { set: "vocabulary", text: "my lamp is broken", vocabulary: ["Zenbrix"] });

const separated = {
  warnings: [],
  speakerRoleConfidence: 0.9,
  utterances: [
    utterance("good morning", 0, 2, { speaker: "0", speakerRole: "agent" }),
    utterance("my bill is wrong", 2, 6, { speaker: "1", speakerRole: "customer" }),
  ],
} satisfies Partial<Measured["transcript"]>;

test("every figure of the table comes from its own set", async (t) => {
  const measured = [
    heard(people, "one fine day we went to"),
    heard(untimed, "we came home again"),
    heard(call, "good morning my bill is wrong", separated),
    heard(recording("hum", { set: "noise", language: null }), "thank you"),
    heard(roleCall, "good morning my bill is wrong", separated),
    heard(listed, "my sembrics is broken"),
    heard(unsaid, "my lamp is broken"),
    heard(recording("quiet", { set: "condition", condition: "quiet", text: "stay on the line" }), "stay on the"),
    heard(
      recording("two", {
        set: "languages",
        condition: "changing",
        words: [...words("hello there", "0"), ...words("hola amigo", "0", 2, "es")],
      }),
      "hello there hola amigo",
    ),
  ];
  const withVocabulary = [heard(listed, "my Zenbrix is broken"), heard(unsaid, "my Zenbrix is broken")];
  const theirs = new Map([
    ["people", { batched: NATURAL, sequential: "one day" }],
    ["untimed", { batched: "we came home again", sequential: "we came home again" }],
  ]);
  const rows = await rowsOf({ measured, withVocabulary, theirs, normaliser });
  const value = (set: string, name: string) => {
    const found = rows.find((row) => row.set === set && row.name === name)?.figure.value;
    return found === null || found === undefined ? found : Math.round(found * 10) / 10;
  };
  t.is(value("en", "wer"), 9.1);
  t.is(value("en", "faster_whisper_wer"), 0);
  t.is(rows.find(({ name }) => name === "faster_whisper_wer")?.note, "batched");
  t.is(value("en", "wer_excess"), 9.1);
  t.is(value("en", "call_wer"), 0);
  t.is(value("en", "language_accuracy"), 100);
  t.is(value("en", "der"), 0);
  t.is(value("en", "speaker_count_accuracy"), 100);
  t.is(value("en", "word_start_p50_ms"), 100);
  t.is(value("en", "word_start_matched"), 85.7);
  t.is(value("es", "wer"), null);
  // "town" has no word within half a second: 0.4 s of 5.2 s in people's words and the call's.
  t.is(value("all", "uncovered_speech"), 7.7);
  t.is(value("all", "uncovered_by_voice_activity"), 0);
  t.is(value("all", "invented_words_per_hour"), 2);
  t.is(value("all", "language_accuracy_words"), 50);
  t.is(value("all", "role_precision"), 100);
  t.is(value("all", "role_coverage"), 100);
  t.is(value("all", "role_null_or_warned"), null);
  t.is(value("all", "vocabulary_recall_without"), 0);
  t.is(value("all", "vocabulary_recovered"), 100);
  t.is(value("all", "vocabulary_false_insertions_per_hour"), 1);
  t.is(value("quiet", "wer"), 25);
});

test("a transcript that separates no speakers has missed all of them", async (t) => {
  const rows = await rowsOf({
    measured: [heard(call, "good morning my bill is wrong")],
    withVocabulary: [],
    theirs: new Map(),
    normaliser,
  });
  t.is(rows.find(({ name }) => name === "der_collar")?.figure.value, 100);
  t.is(rows.find(({ name }) => name === "speaker_count_accuracy")?.figure.value, 0);
  t.is(rows.find(({ name }) => name === "wer")?.figure.value, null);
});

test("utterances are turns with their texts, else words without a pause, else the text", (t) => {
  t.deepEqual(utterancesOf(untimed), ["we came home again"]);
  t.deepEqual(utterancesOf(call), ["good", "morning", "my", "bill", "is", "wrong"]);
  const close = words("a b c").map((word, i) => ({ ...word, end: word.start + (i === 1 ? 0.2 : 0.9) }));
  t.deepEqual(utterancesOf(recording("x", { words: close })), ["a b", "c"]);
  t.deepEqual(utterancesOf(recording("x", { text: "all of it" })), ["all of it"]);
  t.deepEqual(utterancesOf(recording("x", {})), []);
});

test("with little time every set and language has its turn", (t) => {
  const of = (id: string, changes: Partial<Recording>) => recording(id, changes);
  const list = [
    of("a", {}),
    of("b", {}),
    of("c", { language: "es" }),
    of("d", { set: "noise" }),
    of("e", { set: "noise" }),
  ];
  t.deepEqual(inTurn(list), [0, 2, 3, 1, 4]);
});

test("details are one line a recording", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "escriba-details-"));
  t.teardown(() => rm(directory, { recursive: true }));
  const path = join(directory, "details.jsonl");
  const measured = [heard(people, "one fine day we went to"), heard(roleCall, "good morning", separated)];
  await writeDetails(path, measured, new Map([["people", { batched: NATURAL, sequential: "" }]]), normaliser);
  const [first, second] = (await readFile(path, "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  t.is(first.wer, 14.29);
  t.deepEqual(first.faster_whisper_wer, { batched: 0, sequential: 100 });
  t.is(first.uncovered, 14.29);
  t.is(second.roles, "right");
  t.deepEqual(second.speakers, { reference: 2, answer: 2 });
});
