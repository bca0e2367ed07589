/**
 * Prices, once. They go to the SQL functions as a parameter with every statement: the tier depends on a counter that is
 * only certain under the organization's lock, so the arithmetic is SQL's (`transcript_line`), and a table of prices
 * would be a second place to keep in step. What was paid is written on each charge (`ledger_transactions.detail`).
 * Decimal text throughout: binary floats have no place in money.
 */

export const MODULES = [
  "topic_detection",
  "summarization",
  "action_items",
  "sentiment_analysis",
  "content_moderation",
  "profanity_filter",
  "pii_redaction",
] as const;
export type Module = (typeof MODULES)[number];

export interface TranscriptPrices {
  /** Volume tiers on the minutes billed in the month, ascending, the first from 0. */
  asr: readonly { from_minutes: number; eur_per_hour: string }[];
  /** Ceiling per hour when all modules are requested. */
  pack: string;
  pack_economy: string;
  /** Per hour. */
  modules: Readonly<Record<Module, string>>;
}

export const transcriptPrices: TranscriptPrices = {
  asr: [
    { from_minutes: 0, eur_per_hour: "0.39" },
    { from_minutes: 1_000 * 60, eur_per_hour: "0.33" },
    { from_minutes: 10_000 * 60, eur_per_hour: "0.26" },
  ],
  pack: "0.29",
  pack_economy: "0.22",
  modules: {
    topic_detection: "0.06",
    summarization: "0.07",
    action_items: "0.06",
    sentiment_analysis: "0.05",
    content_moderation: "0.06",
    profanity_filter: "0.02",
    pii_redaction: "0.09",
  },
};

/** Per million tokens; with at most three decimals every charge is exact at nine places. */
export const tokenPrices = {
  "llm.small.in": "0.65",
  "llm.small.out": "3.75",
  "llm.large.in": "1.50",
  "llm.large.out": "8.00",
  "embed.1": "0.28",
} as const;
export type TokenProduct = keyof typeof tokenPrices;
export type TokenPrices = Readonly<Record<TokenProduct, string>>;

/** What a model's tokens are sold as; embeddings have no completion. */
export const tokenProducts: Readonly<Record<string, { prompt: TokenProduct; completion: TokenProduct | null }>> = {
  "service-llm-1-small": { prompt: "llm.small.in", completion: "llm.small.out" },
  "service-llm-1-large": { prompt: "llm.large.in", completion: "llm.large.out" },
  "service-embed-1": { prompt: "embed.1", completion: null },
};

/** What a charge's modules are called on an invoice; the names are those of its detail. */
export const moduleProducts: Readonly<Record<string, string>> = {
  topic_detection: "und.topics",
  summarization: "und.summary",
  action_items: "und.actions",
  sentiment_analysis: "und.sentiment",
  content_moderation: "und.moderation",
  profanity_filter: "und.profanity",
  pii_redaction: "und.pii",
  pack: "und.pack",
  pack_economy: "und.pack.economy",
};
