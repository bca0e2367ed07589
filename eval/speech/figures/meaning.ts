import { comparedWords } from "../measure/compared-words.ts";
import { bootstrap } from "../measure/intervals.ts";
import { languageHits } from "../measure/languages.ts";
import type { Normaliser } from "../measure/normaliser.ts";
import { leftNullOrWarned, type RoleOutcome, roleOutcome } from "../measure/roles.ts";
import { missedRecovered, sum, type TermHits, termHits } from "../measure/vocabulary.ts";
import { type Figure, figure, hourly, proportion } from "./figure.ts";
import { hours, type Measured, roleAnswer, utterancesOf } from "./measured.ts";

/** Words out of what is no speech. */
export function inventedWords(measured: readonly Measured[]): Figure {
  const words = measured.reduce((count, { transcript }) => count + comparedWords(transcript.words).length, 0);
  return hourly(words, hours(measured));
}

/** Recordings whose language is right, percent. */
export function languageAccuracy(measured: readonly Measured[]): Figure {
  const spoken = measured.filter(({ recording }) => recording.language !== null);
  const hits = spoken.filter(({ recording, transcript }) => transcript.language === recording.language).length;
  return proportion({ hits, n: spoken.length }, "recordings");
}

/** Of recordings in several languages: words whose window was heard in theirs, percent. Drawn by recording. */
export function languageOfWords(measured: readonly Measured[]): Figure {
  const units = measured
    .filter(({ recording }) => new Set(recording.words?.map(({ language }) => language)).size > 1)
    .map(({ recording, windows }) => languageHits(recording.words ?? [], windows));
  const share = (drawn: typeof units) =>
    (100 * drawn.reduce((all, { hits }) => all + hits, 0)) / drawn.reduce((all, { n }) => all + n, 0);
  const n = units.reduce((all, unit) => all + unit.n, 0);
  return figure(
    share(units),
    bootstrap(units, (drawn) => share([...drawn])),
    n,
    "words",
  );
}

export interface RoleFigures {
  /** Of calls whose roles are attributed, those that are right. */
  precision: Figure;
  /** Of calls whose roles can be told, those that are attributed. */
  coverage: Figure;
  /** Of calls whose roles cannot be told, those left null or warned of. */
  nullOrWarned: Figure;
}

export function roleFigures(measured: readonly Measured[]): RoleFigures {
  const tellable = measured.filter(({ recording }) => recording.expectation === "attributed");
  const outcomes = tellable.map(
    (one): RoleOutcome => roleOutcome(one.recording.turns ?? [], one.recording.roles ?? {}, roleAnswer(one)),
  );
  const count = (outcome: RoleOutcome) => outcomes.filter((found) => found === outcome).length;
  const attributed = count("right") + count("wrong");
  const untellable = measured.filter(({ recording }) => recording.expectation === "null-or-warned");
  const left = untellable.filter((one) => leftNullOrWarned(roleAnswer(one))).length;
  return {
    precision: proportion({ hits: count("right"), n: attributed }, "attributed calls"),
    coverage: proportion({ hits: attributed, n: outcomes.length }, "calls"),
    nullOrWarned: proportion({ hits: left, n: untellable.length }, "calls"),
  };
}

export interface VocabularyFigures {
  recallWithout: Figure;
  recallWith: Figure;
  /** Of the terms missed without the vocabulary, those found with it, percent. */
  recovered: Figure;
  falseInsertionsPerHour: Figure;
}

/**
 * The same recordings with and without their vocabulary. False insertions are counted on recordings in which no term is
 * said.
 */
export async function vocabularyFigures(
  without: readonly Measured[],
  given: readonly Measured[],
  normaliser: Normaliser,
): Promise<VocabularyFigures> {
  const hitsOf = async ({ recording, transcript }: Measured): Promise<TermHits> => {
    const words = (texts: string[]) => normaliser.words(texts, recording.language);
    const [said, heard] = await words([utterancesOf(recording).join(" "), transcript.text]);
    return termHits(await words(recording.vocabulary ?? []), said as string[], heard as string[]);
  };
  const heardWith = new Map(given.map((one) => [one.recording.id, one]));
  const pairs: { one: Measured; without: TermHits; given: TermHits }[] = [];
  for (const one of without) {
    const other = heardWith.get(one.recording.id);
    if (other) pairs.push({ one, without: await hitsOf(one), given: await hitsOf(other) });
  }
  const spoken = pairs.filter((pair) => pair.without.said > 0);
  const silent = pairs.filter((pair) => pair.without.said === 0);
  const recall = (hits: TermHits[]) => proportion({ hits: sum(hits, "found"), n: sum(hits, "said") }, "terms said");
  const recovered = (drawn: readonly (typeof spoken)[number][]) =>
    missedRecovered(
      drawn.map((pair) => pair.without),
      drawn.map((pair) => pair.given),
    );
  const missed = spoken.reduce((all, pair) => all + pair.without.said - pair.without.found, 0);
  return {
    recallWithout: recall(spoken.map((pair) => pair.without)),
    recallWith: recall(spoken.map((pair) => pair.given)),
    recovered: figure(recovered(spoken), bootstrap(spoken, recovered), missed, "terms missed"),
    falseInsertionsPerHour: hourly(
      silent.reduce((all, pair) => all + pair.given.invented, 0),
      hours(silent.map(({ one }) => one)),
    ),
  };
}
