import type { Call, Utterance } from "../types.ts";
import type { Entity, PiiType, Policy } from "./types.ts";

/** The field `pii` of a transcript. No value occurs in it. */
export interface Redaction {
  text_redacted: string;
  utterances_redacted: Utterance[];
  entities: { type: PiiType; utterance: number; start: number; end: number }[];
  policy: Policy;
}

/**
 * The call without its entities. Overlapping entities become one, named after the surest. A mask is as long as what it
 * hides, so that offsets in the original are offsets in the redacted turn too. Throws RangeError for an entity outside its turn.
 */
export function redact(call: Call, entities: readonly Entity[], policy: Policy): Redaction {
  const pieces = merge(entities);
  for (const { utterance, start, end } of pieces) {
    const text = call.utterances[utterance]?.text;
    if (text === undefined || start < 0 || end > text.length || start >= end)
      throw new RangeError(`no characters ${start} to ${end} in turn ${utterance}`);
  }
  const utterances = call.utterances.map(({ speaker, speakerRole, text, start, end }, index) => ({
    speaker,
    speakerRole,
    text: hide(
      text,
      pieces.filter(({ utterance }) => utterance === index),
      policy,
    ),
    start,
    end,
  }));
  return {
    text_redacted: utterances.map(({ text }) => text).join(" "),
    utterances_redacted: utterances,
    entities: pieces.map(({ type, utterance, start, end }) => ({ type, utterance, start, end })),
    policy,
  };
}

/** In the order of the text, no two overlapping. */
export function merge(entities: readonly Entity[]): Entity[] {
  const merged: Entity[] = [];
  for (const entity of entities.toSorted((a, b) => a.utterance - b.utterance || a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (last && last.utterance === entity.utterance && entity.start < last.end) {
      const { type, confidence, source } = surer(last, entity);
      merged[merged.length - 1] = { ...last, type, confidence, source, end: Math.max(last.end, entity.end) };
    } else merged.push(entity);
  }
  return merged;
}

/** The surer of two; a rule before a model, then the longer. */
function surer(a: Entity, b: Entity): Entity {
  if (a.confidence !== b.confidence) return a.confidence > b.confidence ? a : b;
  if (a.source !== b.source) return a.source === "rule" ? a : b;
  return b.end - b.start > a.end - a.start ? b : a;
}

function hide(text: string, pieces: readonly Entity[], policy: Policy): string {
  let hidden = "";
  let at = 0;
  for (const { type, start, end } of pieces) {
    hidden += text.slice(at, start) + (policy === "mask" ? "*".repeat(end - start) : `[${type}]`);
    at = end;
  }
  return hidden + text.slice(at);
}
