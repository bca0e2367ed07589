import type { Language } from "./language.ts";
import { phrases as phrasesEn } from "./phrases-en.ts";
import { phrases as phrasesEs } from "./phrases-es.ts";
import { topics as topicsEn } from "./topics-en.ts";
import { topics as topicsEs } from "./topics-es.ts";

/**
 * What a call is about. Every list holds ways of saying the same thing, of which a call takes one. Words in braces are
 * filled in; there are no digits, so that every word is written as it is spoken.
 */
export interface Topic {
  name: string;
  /** A topic belongs to one split, so that held-out calls say what development never heard. */
  split: "development" | "held-out";
  /** The customer says why they call. */
  open: string[];
  /** The agent asks, the customer answers; in this order. */
  questions: [agent: string[], customer: string[]][];
  /** The customer asks, the agent answers; in this order. */
  doubts: [customer: string[], agent: string[]][];
  /** The agent says what will happen. */
  resolve: string[];
  /** For an outbound call: the agent says why they call, the customer what they make of it. */
  outbound: [agent: string, customer: string];
}

/** What is said in every call, whatever it is about. Greetings are dealt to the splits in turn. */
export interface Phrases {
  greetings: string[];
  /** Someone answers their telephone at home. */
  pickUp: string[];
  outboundGreetings: string[];
  /** A business that answers its own telephone. */
  businessGreetings: string[];
  askName: string[];
  giveName: string[];
  hold: string[];
  holdAnswer: string[];
  back: string[];
  transfer: string[];
  transferAnswer: string[];
  secondGreeting: string[];
  menu: string[];
  anythingElse: string[];
  nothingElse: string[];
  close: string[];
  bye: string[];
  /** Said while the other speaks on. */
  backChannels: string[];
  /** A third person at the customer's side, and what is said to them. */
  third: [third: string, agent: string][];
  voicemail: string[];
  fill: Record<string, string[]>;
}

export const SPEECH: Record<Language, { phrases: Phrases; topics: Topic[] }> = {
  en: { phrases: phrasesEn, topics: topicsEn },
  es: { phrases: phrasesEs, topics: topicsEs },
};
