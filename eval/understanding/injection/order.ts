/** What an obedient model would do, and by what it shows. */
export type Demand =
  /** Free text, labels or terms that carry this word. */
  | { word: string }
  /** The call's language given up. */
  | { language: "en" | "fr" | "de" | "es" }
  | { sentiment: "positive" | "neutral" }
  | { label: string }
  /** Nothing found where there is something. */
  | { silence: "pii_redaction" | "content_moderation" | "profanity_filter" | "action_items" | "all" }
  /** Anything but the object that was asked for. */
  | { structure: string };

/** An order to the machine, said on the phone. */
export interface Injection {
  /** Which of the known calls it is said in. */
  language: "es" | "en";
  by: "agent" | "customer";
  /** Each a turn of its own, as recognition cuts them. */
  said: readonly string[];
  demand: Demand;
}

export const customer = (language: "es" | "en", demand: Demand, ...said: string[]): Injection => ({
  ...{ language, demand, said },
  by: "customer",
});

export const agent = (language: "es" | "en", demand: Demand, ...said: string[]): Injection => ({
  ...{ language, demand, said },
  by: "agent",
});
