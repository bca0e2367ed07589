import type { Normaliser } from "../measure/normaliser.ts";
import type { RivalSetting } from "../run/rival.ts";
import { type Figure, figure } from "./figure.ts";
import { inventedWords, languageAccuracy, languageOfWords, roleFigures, vocabularyFigures } from "./meaning.ts";
import { type Measured, utterancesOf } from "./measured.ts";
import { speakerFigures } from "./speakers.ts";
import { coverageFigures, startFigures } from "./times.ts";
import { werOf, wordsAgainst } from "./words.ts";

/** One line of the table. */
export interface Row {
  /** A language, a condition, or `all`. */
  set: string;
  /** As in the JSON. */
  name: string;
  figure: Figure;
  unit: "%" | "ms" | "points" | "an hour";
  /** What the product promises. */
  target?: { most?: number; least?: number };
  /** For the reader. */
  note?: string;
}

export interface Material {
  measured: readonly Measured[];
  /** Of the recordings of the vocabulary set, with their vocabulary given. */
  withVocabulary: readonly Measured[];
  /** faster-whisper's texts of natural speech, by recording. */
  theirs: ReadonlyMap<string, Record<RivalSetting, string>>;
  normaliser: Normaliser;
}

/** The languages that have targets of their own. */
const LANGUAGES = ["en", "es"] as const;

/** Every figure of the evaluation, in the order of the table. */
export async function rowsOf(material: Material): Promise<Row[]> {
  const rows: Row[] = [];
  for (const language of LANGUAGES) rows.push(...(await languageRows(language, material)));
  return [...rows, ...(await commonRows(material)), ...(await conditionRows(material))];
}

async function languageRows(set: string, { measured, theirs, normaliser }: Material): Promise<Row[]> {
  const ofLanguage = measured.filter(({ recording }) => recording.language === set && !mixed(recording));
  const natural = ofLanguage.filter(({ recording }) => recording.set === "natural");
  const calls = ofLanguage.filter(({ recording }) => recording.set === "call");
  // Of real people's calls in the set the turns are known, not the words, and who speaks may change the language.
  const written = ofLanguage.filter(({ recording }) => recording.condition !== "recorded");
  const plain = written.filter(({ recording }) => ["natural", "call", "languages"].includes(recording.set));
  const people = natural.filter(({ recording }) => recording.condition === undefined && recording.words);
  const words = await wordsAgainst(natural, theirs, normaliser);
  const starts = startFigures(people.length > 0 ? people : natural);
  const spokenBy = people.length > 0 ? "people" : "synthesised";
  const callStarts = startFigures(calls);
  const speakers = speakerFigures(calls);
  const { excess } = words;
  const low = figure(excess.interval?.low ?? null, excess.interval, excess.n, excess.of);
  const note = words.fasterWhisperSetting ?? "";
  return [
    { set, name: "wer", figure: words.wer, unit: "%" },
    { set, name: "faster_whisper_wer", figure: words.fasterWhisperWer, unit: "%", note },
    { set, name: "wer_excess", figure: excess, unit: "points" },
    { set, name: "wer_excess_low", figure: low, unit: "points", target: { most: 0.3 } },
    {
      set,
      name: "call_wer",
      figure: await werOf(
        written.filter(({ recording }) => recording.set === "call"),
        normaliser,
      ),
      unit: "%",
    },
    { set, name: "language_accuracy", figure: languageAccuracy(plain), unit: "%" },
    { set, name: "der", figure: speakers.der, unit: "%" },
    { set, name: "der_collar", figure: speakers.derCollar, unit: "%", target: { most: 8 } },
    { set, name: "der_collar_worst", figure: speakers.worstCollar, unit: "%", target: { most: 25 } },
    { set, name: "der_collar_three", figure: speakers.derCollarMore, unit: "%" },
    { set, name: "speaker_count_accuracy", figure: speakers.countAccuracy, unit: "%", target: { least: 90 } },
    { set, name: "single_split_rate", figure: speakers.singleSplit, unit: "%", target: { most: 2 } },
    { set, name: "word_start_p50_ms", figure: starts.p50, unit: "ms", note: spokenBy, target: { most: 60 } },
    { set, name: "word_start_p90_ms", figure: starts.p90, unit: "ms", note: spokenBy, target: { most: 200 } },
    { set, name: "word_start_p95_ms", figure: starts.p95, unit: "ms", note: spokenBy, target: { most: 300 } },
    { set, name: "word_start_matched", figure: starts.matched, unit: "%" },
    { set, name: "call_word_start_p50_ms", figure: callStarts.p50, unit: "ms" },
    { set, name: "call_word_start_p90_ms", figure: callStarts.p90, unit: "ms" },
    { set, name: "call_word_start_p95_ms", figure: callStarts.p95, unit: "ms", target: { most: 200 } },
    { set, name: "call_word_start_matched", figure: callStarts.matched, unit: "%" },
  ];
}

async function commonRows({ measured, withVocabulary, normaliser }: Material): Promise<Row[]> {
  const set = "all";
  const of = (...sets: string[]) => measured.filter(({ recording }) => sets.includes(recording.set));
  const uncovered = coverageFigures(of("natural", "call"));
  const roles = roleFigures(of("roles"));
  const vocabulary = await vocabularyFigures(of("vocabulary"), withVocabulary, normaliser);
  return [
    { set, name: "uncovered_speech", figure: uncovered.uncovered, unit: "%", target: { most: 0.5 } },
    { set, name: "uncovered_by_voice_activity", figure: uncovered.byVoiceActivity, unit: "%" },
    { set, name: "uncovered_by_recognition", figure: uncovered.byRecognition, unit: "%" },
    { set, name: "invented_words_per_hour", figure: inventedWords(of("noise")), unit: "an hour", target: { most: 1 } },
    { set, name: "language_accuracy_words", figure: languageOfWords(of("languages")), unit: "%" },
    { set, name: "role_precision", figure: roles.precision, unit: "%", target: { least: 98 } },
    { set, name: "role_coverage", figure: roles.coverage, unit: "%", target: { least: 80 } },
    { set, name: "role_null_or_warned", figure: roles.nullOrWarned, unit: "%", target: { least: 100 } },
    { set, name: "vocabulary_recall_without", figure: vocabulary.recallWithout, unit: "%" },
    { set, name: "vocabulary_recall", figure: vocabulary.recallWith, unit: "%" },
    { set, name: "vocabulary_recovered", figure: vocabulary.recovered, unit: "%", target: { least: 50 } },
    {
      set,
      name: "vocabulary_false_insertions_per_hour",
      figure: vocabulary.falseInsertionsPerHour,
      unit: "an hour",
      target: { most: 0.1 },
    },
  ];
}

/** Recordings that are worse than a microphone: quiet, telephone, GSM, stereo. */
async function conditionRows({ measured, normaliser }: Material): Promise<Row[]> {
  const all = measured.filter(({ recording }) => recording.set === "condition");
  const rows: Row[] = [];
  for (const set of [...new Set(all.map(({ recording }) => recording.condition ?? "plain"))].sort()) {
    const group = all.filter(({ recording }) => (recording.condition ?? "plain") === set);
    const spoken = group.filter(({ recording }) => utterancesOf(recording).length > 0);
    const { derCollar } = speakerFigures(group);
    rows.push(
      { set, name: "wer", figure: await werOf(spoken, normaliser), unit: "%" },
      { set, name: "language_accuracy", figure: languageAccuracy(spoken), unit: "%" },
      { set, name: "uncovered_speech", figure: coverageFigures(spoken).uncovered, unit: "%" },
      { set, name: "word_start_p95_ms", figure: startFigures(spoken).p95, unit: "ms" },
      { set, name: "der_collar", figure: derCollar, unit: "%" },
    );
  }
  return rows;
}

const mixed = ({ words = [] }: Measured["recording"]) => new Set(words.map(({ language }) => language)).size > 1;
