import { actionReader } from "./insight/actions.ts";
import { sentimentReader } from "./insight/sentiment.ts";
import { summaryReader } from "./insight/summary.ts";
import { topicReader } from "./insight/topics.ts";
import { claimReader } from "./pii/claims.ts";
import type { Reader, Reading } from "./reader.ts";
import { moderationReader } from "./safety/moderation.ts";
import { profanityReader } from "./safety/profanity.ts";
import type { Call, Module } from "./types.ts";

// biome-ignore lint/suspicious/noExplicitAny: pieces are each reader's own, and go back to it only
export type AnyReader = Reader<any, unknown>;

interface Material {
  reading: Reading;
  /** The whole call, and what of it was said to machines. */
  call: Call;
  suspect: Call | null;
}

/** A reader for each module that can be asked about this call; sentiment is not where nobody is known to be the customer. */
export function readersOf(modules: readonly Module[], { reading, call, suspect }: Material): Map<Module, AnyReader> {
  const make: Record<Module, () => AnyReader | null> = {
    topic_detection: () => topicReader(reading),
    summarization: () => summaryReader(reading),
    action_items: () => actionReader(reading),
    sentiment_analysis: () =>
      call.utterances.some(({ speakerRole }) => speakerRole === "customer") ? sentimentReader(reading) : null,
    content_moderation: () => moderationReader(reading),
    profanity_filter: () => profanityReader(reading, call),
    pii_redaction: () => claimReader(reading, call, suspect),
  };
  return new Map(
    modules.flatMap((module) => {
      const reader = make[module]();
      return reader ? [[module, reader] as const] : [];
    }),
  );
}
