import { type TokenPath, tokenPath } from "../alignment/attention-path.ts";
import type { Span } from "../types.ts";
import type { Decoded } from "./greedy.ts";
import { averageLogprob, type Guard, trippedGuards } from "./guards.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** The text of one stretch of a window, and where its tokens were heard. */
export interface Passage {
  spans: readonly Span[];
  tokens: number[];
  path: TokenPath;
}

/** One way of decoding a window: a passage, or two when it was split. */
export interface Attempt {
  passages: Passage[];
  guards: Guard[];
  averageLogprob: number;
  generated: number;
}

export function attempt(
  vocabulary: Vocabulary,
  parts: readonly { spans: readonly Span[]; decoded: Decoded }[],
): Attempt {
  const passages: Passage[] = [];
  const guards = new Set<Guard>();
  let logprob = 0;
  let chosen = 0;
  let generated = 0;
  for (const { spans, decoded } of parts) {
    const path = tokenPath(decoded.attention);
    passages.push({ spans, tokens: decoded.tokens, path });
    for (const guard of trippedGuards(decoded, vocabulary.text(decoded.tokens), path)) guards.add(guard);
    logprob += decoded.logprob;
    chosen += decoded.chosen;
    generated += decoded.generated;
  }
  return { passages, guards: [...guards], averageLogprob: averageLogprob({ logprob, chosen }), generated };
}

/** The score retries compete by: fewest guards tripped, then the higher mean log-probability, then who came first. */
export function better(a: Attempt, b: Attempt): Attempt {
  if (a.guards.length !== b.guards.length) return a.guards.length < b.guards.length ? a : b;
  return b.averageLogprob > a.averageLogprob ? b : a;
}
