/**
 * What speaks for a role, in any language. A cue is counted for whoever says it; its weight (`../weights.ts`) says how
 * much that means. `agent` cues are what the company's side says, `customer` cues what the caller's side says.
 */
export const AGENT_CUES = [
  "greets_for_company",
  "offers_help",
  "offers_more_help",
  "asks_identification",
  "asks_details",
  "holds",
  "looks_up",
  "sees_in_system",
  "acts_for_other",
  "promises",
  "quotes_terms",
  "apologises",
  "closes_for_company",
  "addresses_formally",
  "instructs",
  "obliges",
  "transfers",
  "names_their_things",
  "figures_for_other",
] as const;

export const CUSTOMER_CUES = [
  "states_purpose",
  "wants",
  "describes_problem",
  "own_things",
  "suffers",
  "gives_identification",
  "asks_favour",
  "asks_price_or_time",
  "complains",
  "thanks_for_help",
  "own_people",
  "fetches",
  "says_own_things",
] as const;

/** Found from who speaks when, not from words alone. */
export const ORDER_CUES = ["opens", "speaks_first", "answers_identification"] as const;

/** Of the agent's cues and openings those that hardly anybody says who does not serve callers. */
export const FORMULAS: readonly Cue[] = [
  "greets_for_company",
  "offers_help",
  "offers_more_help",
  "asks_identification",
  "holds",
  "looks_up",
  "sees_in_system",
  "acts_for_other",
  "promises",
  "quotes_terms",
  "closes_for_company",
  "transfers",
  "opens",
];

export type AgentCue = (typeof AGENT_CUES)[number];
export type CustomerCue = (typeof CUSTOMER_CUES)[number];
export type OrderCue = (typeof ORDER_CUES)[number];
export type Cue = AgentCue | CustomerCue | OrderCue;

export const CUES: readonly Cue[] = [...AGENT_CUES, ...CUSTOMER_CUES, ...ORDER_CUES];

/** Patterns over plain words (`../plain-words.ts`), one a cue; a language need not have all. */
export interface Lexicon {
  cues: Partial<Record<AgentCue | CustomerCue, RegExp>>;
  /** How somebody answers a telephone who does not know who calls: nothing else in the turn. */
  bareAnswer: RegExp;
  /** A machine that offers a menu or a queue. */
  machine: RegExp;
  /** Somebody says that they call from or for a company. */
  callsForCompany: RegExp;
  /** Asked by whoever dialled: whether this is the person they want. */
  asksForPerson: RegExp;
  /** A first turn that names a business: "Dental clinic, good morning". */
  businessOpening: RegExp;
}
