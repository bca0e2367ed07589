import { round } from "../../../bench/benchmark.ts";
import { recognise } from "../../../understanding/pii/recognise.ts";
import { wilson } from "../../speech/measure/intervals.ts";
import type { Part } from "../part.ts";
import { makeCalls } from "./calls.ts";
import { type Counts, tally } from "./measure.ts";
import type { Chosen } from "./types.ts";
import { DETERMINISTIC } from "./values.ts";
import { freshDictations } from "./written/fresh.ts";
import { readDictations } from "./written/read.ts";

const SEED = 1;
const RECALL = 0.98;
const PRECISION = 0.95;

/**
 * Values of the types that have a form, by rules alone, on the true text of calls. A value counts as found when every word of
 * it is hidden and named rightly; an entity as right when it hides a word of a value of its type. `pii_recall_low` is the lower
 * end of the 95 % interval. The dictations of `written/fresh.ts` were made after the rules, in manners that no template has.
 */
export function writtenValues({ split, calls }: Chosen): Part {
  const made = (["es", "en"] as const).flatMap((language) => makeCalls(language, split, calls, SEED));
  const of = (list: typeof made) =>
    tally(
      list.map((call) => ({ call, entities: recognise(call.call) })),
      DETERMINISTIC,
    );
  const { all, byType } = of(made);
  const fresh = of(readDictations(freshDictations, "fresh"));
  const rows: [string, Counts][] = [...byType, ["all", all], ["all, fresh dictations", fresh.all]];
  const figures = Object.fromEntries(
    [...byType, ["", all] as const].flatMap(([type, counts]) =>
      Object.entries(figuresOf(counts)).map(([name, value]) => [
        `pii_${name}${type && `_${type.toLowerCase()}`}`,
        value,
      ]),
    ),
  );
  const { recall, precision } = figuresOf(fresh.all);
  return {
    rows: [
      ["personal data, rules alone", "values", "recall", "95 % from", "hidden", "precision", "characters left"],
      ...rows.map(([name, counts]) => {
        const { recall, recall_low, hidden, precision } = figuresOf(counts);
        return [
          name,
          String(counts.gold),
          ...[recall, recall_low, hidden, precision].map(percent),
          String(counts.leaked),
        ];
      }),
    ],
    figures: {
      pii_values: all.gold,
      ...figures,
      pii_fresh_values: fresh.all.gold,
      pii_fresh_recall: recall,
      pii_fresh_precision: precision,
    },
    passed: figuresOf(all).recall_low >= RECALL && figuresOf(all).precision >= PRECISION,
  };
}

function figuresOf({ gold, found, hidden, predicted, right }: Counts) {
  return {
    recall: share(found, gold),
    recall_low: round(wilson(found, gold)?.low ?? 0, 4),
    hidden: share(hidden, gold),
    precision: share(right, predicted),
  };
}

const share = (hits: number, of: number) => (of === 0 ? 0 : round(hits / of, 4));

export const percent = (value: number) => `${(100 * value).toFixed(1)} %`;
