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
  const lower = call.utterances.map((turn) => turn.text.toLowerCase());
  const once = new Map(claims.map((claim) => [`${claim.type} ${claim.text.trim()}`, claim]));
  return merge([...rules, ...[...once.values()].flatMap((claim) => verify(call, lower, claim))]);
}

/** `lower`: the turns' texts, by which most turns are passed over; a ten-hour call has thousands of both. */
function verify(call: Call, lower: readonly string[], { type, text }: Claim): Entity[] {
  if (!PII_TYPES.includes(type as PiiType)) return [];
  const words = text.trim().split(/\s+/u);
  if (!/[\p{L}\p{N}]{2}/u.test(text)) return [];
  const pattern = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/-]/gu, "\\$&")).join("\\s+");
  const whole = new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, "giu");
  const first = (words[0] as string).toLowerCase();
  return call.utterances.flatMap((turn, utterance) => {
    if (!lower[utterance]?.includes(first)) return [];
    return [...turn.text.matchAll(whole)].map(({ index, 0: found }) => ({
      type: type as PiiType,
      utterance,
      start: index,
      end: index + found.length,
      confidence: CONFIDENCE,
      source: "model" as const,
    }));
  });
}
