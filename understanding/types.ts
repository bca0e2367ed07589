import type { Redaction } from "./pii/redact.ts";
import type { Policy } from "./pii/types.ts";

/** The words understanding/ is written in. It knows transcripts as plain data, and servers of models through upstream/. */

export type Role = "agent" | "customer";

/** One utterance of the transcript; its place in the list is the `index` that results speak of. */
export interface Utterance {
  /** Acoustic identifier "0", "1", …; null when speakers were not separated. */
  speaker: string | null;
  speakerRole: Role | null;
  text: string;
  /** Seconds from the start of the recording. */
  start: number;
  end: number;
}

/** A transcript as understanding sees it. */
export interface Call {
  /** ISO 639-1, `und` when nothing was said. */
  language: string;
  utterances: readonly Utterance[];
}

/** Modules by the model call that brings them (interface specification, 2.7). */
export const GROUPS = {
  insight: ["topic_detection", "summarization", "action_items", "sentiment_analysis"],
  safety: ["content_moderation", "profanity_filter"],
  pii: ["pii_redaction"],
} as const;

export type Group = keyof typeof GROUPS;
export type Module = (typeof GROUPS)[Group][number];

/** What a client asks of each module; a module that is absent was not requested. */
export interface Request {
  topic_detection?: { taxonomy?: "contact_center" | "open" | "iab" };
  summarization?: { format?: "bullets" | "paragraph" | "headline"; context?: string };
  action_items?: object;
  sentiment_analysis?: { scope?: "customer" };
  content_moderation?: object;
  profanity_filter?: { policy?: Policy };
  pii_redaction?: { policy?: Policy };
}

export type Sentiment = "positive" | "neutral" | "negative";

export const MODERATION_CATEGORIES = ["violence", "hate", "self_harm", "sexual", "drugs", "weapons"] as const;

/** Results as clients read them in `understanding.<module>`. */
export interface Results {
  topic_detection: { topics: { label: string; relevance: number }[]; taxonomy: string; taxonomy_version: number };
  summarization: { text: string };
  action_items: { items: { text: string; owner: string | null; due: string | null }[] };
  sentiment_analysis: { overall: Sentiment; by_utterance: { index: number; sentiment: Sentiment }[] };
  content_moderation: {
    findings: { category: (typeof MODERATION_CATEGORIES)[number]; severity: number; excerpt: string }[];
  };
  profanity_filter: { terms: { text: string }[] };
}

/** Object `roles.json`: who is who, by acoustic identifier. */
export interface Roles {
  roles: Record<string, Role | null>;
  /** 0 to 1; 0 exactly when no role was assigned. */
  confidence: number;
  /** Codes of section 2.8. */
  warnings: string[];
}

/** What the calls of one group took. */
export interface GroupMetrics {
  seconds: number;
  promptTokens: number;
  completionTokens: number;
  promptVersion: string;
}

/** Object `understanding/<group>.json`. A module is in `delivered` or named in a warning, never both, never neither. */
export interface GroupResult {
  results: Partial<Results>;
  /** Of the group `pii`, when it was delivered. */
  pii?: Redaction;
  delivered: Module[];
  warnings: string[];
  metrics: GroupMetrics;
}
