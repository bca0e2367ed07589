import type { Entity, PiiType } from "../../../understanding/pii/types.ts";
import type { Gold, LabelledCall } from "./types.ts";

/** Counts of one type, or of all. */
export interface Counts {
  gold: number;
  /** Every word of it hidden, and named rightly. */
  found: number;
  /** Every word of it hidden, whatever the name. */
  hidden: number;
  predicted: number;
  /** Hides a word of a value of that type. */
  right: number;
  /** Letters and digits of values that stay readable. */
  leaked: number;
}

export interface Miss {
  call: LabelledCall;
  gold?: Gold;
  entity?: Entity;
}

export interface Tally {
  all: Counts;
  byType: Map<PiiType, Counts>;
  misses: Miss[];
}

const nothing = (): Counts => ({ gold: 0, found: 0, hidden: 0, predicted: 0, right: 0, leaked: 0 });

/** Values of the given types against what was recognised; entities of other types that touch no value are not counted. */
export function tally(
  calls: readonly { call: LabelledCall; entities: readonly Entity[] }[],
  types: readonly PiiType[],
): Tally {
  const all = nothing();
  const byType = new Map<PiiType, Counts>(types.map((type) => [type, nothing()]));
  const misses: Miss[] = [];
  for (const { call, entities } of calls) {
    for (const gold of call.gold) {
      const own = byType.get(gold.type);
      if (!own) continue;
      const leaked = leakedOf(call, gold, entities);
      const named = entities.some((entity) => entity.type === gold.type && touches(entity, gold));
      const found = leaked === 0 && named;
      for (const counts of [all, own]) {
        counts.gold += 1;
        counts.leaked += leaked;
        if (leaked === 0) counts.hidden += 1;
        if (found) counts.found += 1;
      }
      if (!found) misses.push({ call, gold });
    }
    for (const entity of entities) {
      const own = byType.get(entity.type);
      if (!own) continue;
      const right = call.gold.some((gold) => gold.type === entity.type && touches(entity, gold));
      for (const counts of [all, own]) {
        counts.predicted += 1;
        if (right) counts.right += 1;
      }
      if (!right) misses.push({ call, entity });
    }
  }
  return { all, byType, misses };
}

export function touches(entity: Entity, gold: Gold): boolean {
  return [...gold.pieces, ...(gold.slips ?? [])].some(
    ({ utterance, start, end }) => utterance === entity.utterance && start < entity.end && entity.start < end,
  );
}

/** Letters and digits of a value that no entity hides. */
export function leakedOf({ call }: LabelledCall, { pieces }: Gold, entities: readonly Entity[]): number {
  let leaked = 0;
  for (const { utterance, start, end } of pieces) {
    const text = call.utterances[utterance]?.text ?? "";
    for (let at = start; at < end; at++) {
      const hidden = entities.some((entity) => entity.utterance === utterance && entity.start <= at && at < entity.end);
      if (!hidden && /[\p{L}\p{N}]/u.test(text[at] as string)) leaked += 1;
    }
  }
  return leaked;
}
