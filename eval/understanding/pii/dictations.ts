import { round } from "../../../bench/benchmark.ts";
import { recognise } from "../../../understanding/pii/recognise.ts";
import type { Entity, PiiType } from "../../../understanding/pii/types.ts";
import { wilson } from "../../speech/measure/intervals.ts";
import type { Part } from "../part.ts";
import { type Collection, type Dictation, dictationsOf, type Half } from "./dictations/read.ts";
import { leakedOf, touches } from "./measure.ts";
import { makeTalk } from "./talk/calls.ts";
import { percent } from "./values-in-text.ts";

/** Names are the model's; the files mark none. */
const UNMARKED: PiiType[] = ["PERSON"];

interface Found {
  call: Dictation;
  entities: Entity[];
}

/**
 * Values dictated in calls that were written by hand before anybody looked at the rules, and turns full of numbers that are
 * nobody's. A value counts as found when each of its letters and digits is hidden, under whatever type; an entity as right when
 * it touches a value. Precision is over all the calls, the harmless among them.
 */
export async function dictatedValues(collection: Collection): Promise<Part> {
  const calls = [...(await dictationsOf(collection, "es")), ...(await dictationsOf(collection, "en"))];
  return partOf(collection, TITLES[collection], calls);
}

const TITLES: Record<Collection, string> = {
  dictation: "dictations written by hand",
  everyday: "everyday calls, a second author's",
};

const SEED = 5;

/** The same of calls made of everyday phrases (`talk/`), so many a language and half. */
export async function talkedValues(calls: number): Promise<Part> {
  const made: Dictation[] = [];
  for (const language of ["es", "en"] as const)
    for (const half of ["first", "second"] as const) made.push(...(await makeTalk(language, half, calls, SEED)));
  return partOf("talk", "everyday talk, made of phrases", made);
}

function partOf(name: string, title: string, calls: readonly Dictation[]): Part {
  const found = calls.map((call) => ({ call, entities: entitiesIn(call) }));
  const half = (name: Half) => found.filter(({ call }) => call.half === name);
  const types = [...new Set(calls.flatMap(({ gold }) => gold.map(({ type }) => type)))];
  const rows = types.map((type) => row(type, found, type));
  const all = figuresOf(found);
  const [first, second] = [figuresOf(half("first")), figuresOf(half("second"))];
  return {
    rows: [
      [title, "values", "recall", "first half", "second half", "precision", "characters left"],
      ...rows,
      row("all", found),
    ],
    figures: {
      [`pii_${name}_values`]: all.values,
      [`pii_${name}_recall`]: all.recall,
      [`pii_${name}_recall_low`]: all.low,
      [`pii_${name}_precision`]: all.precision,
      [`pii_${name}_recall_first`]: first.recall,
      [`pii_${name}_precision_first`]: first.precision,
      [`pii_${name}_recall_second`]: second.recall,
      [`pii_${name}_recall_second_low`]: second.low,
      [`pii_${name}_precision_second`]: second.precision,
      [`pii_${name}_leaked_chars`]: all.leaked,
      ...Object.fromEntries(
        types.map((type) => [`pii_${name}_recall_${type.toLowerCase()}`, figuresOf(found, type).recall]),
      ),
    },
    passed: true,
  };

  function row(name: string, list: Found[], type?: PiiType): string[] {
    const of = (some: Found[]) => figuresOf(some, type);
    const { values, recall, precision, leaked } = of(list);
    const halves = [half("first"), half("second")].map((some) => percent(of(some).recall));
    return [name, String(values), percent(recall), ...halves, percent(precision), String(leaked)];
  }
}

export function entitiesIn({ call }: Dictation): Entity[] {
  return recognise(call).filter(({ type }) => !UNMARKED.includes(type));
}

function figuresOf(list: readonly Found[], type?: PiiType) {
  let [values, hidden, leaked, entities, right] = [0, 0, 0, 0, 0];
  for (const one of list) {
    for (const gold of one.call.gold) {
      if (type && gold.type !== type) continue;
      const left = leakedOf(one.call, gold, one.entities);
      values += 1;
      leaked += left;
      if (left === 0) hidden += 1;
    }
    for (const entity of one.entities) {
      if (type && entity.type !== type) continue;
      entities += 1;
      if (one.call.gold.some((gold) => touches(entity, gold))) right += 1;
    }
  }
  return {
    values,
    leaked,
    recall: round(hidden / Math.max(1, values), 4),
    low: round(wilson(hidden, values)?.low ?? 0, 4),
    precision: round(right / Math.max(1, entities), 4),
  };
}
