import type { Call } from "../types.ts";
import { merge } from "./redact.ts";
import { type Claim, type Entity, PII_TYPES, type PiiType } from "./types.ts";

/** A model's word weighs less than any rule's. */
const CONFIDENCE = 0.4;

/**
 * What the rules found and what of a model's claims is in the text, merged. A claim counts wherever its words stand in
 * the call, whole, in any case and spacing: a name is a name in every turn. What is not there is dropped.
 */
export function join(call: Call, rules: readonly Entity[], claims: readonly Claim[]): Entity[] {
  return merge([...rules, ...claims.flatMap((claim) => verify(call, claim))]);
}

function verify(call: Call, { type, text }: Claim): Entity[] {
  if (!PII_TYPES.includes(type as PiiType)) return [];
  const words = text.trim().split(/\s+/u);
  if (!/[\p{L}\p{N}]{2}/u.test(text)) return [];
  const pattern = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/-]/gu, "\\$&")).join("\\s+");
  const whole = new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, "giu");
  return call.utterances.flatMap((turn, utterance) =>
    [...turn.text.matchAll(whole)].map(({ index, 0: found }) => ({
      type: type as PiiType,
      utterance,
      start: index,
      end: index + found.length,
      confidence: CONFIDENCE,
      source: "model" as const,
    })),
  );
}
