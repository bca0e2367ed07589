import type { Group, Module } from "../understanding/types.ts";
import type { TaskQueue } from "./names.ts";

/**
 * The steps as the workflows see them. Everything here is written into Temporal's history, so it holds
 * ids, keys, codes and counts: never audio, text, URLs or metadata. New fields are optional: histories are replayed.
 */
export interface Reference {
  transcriptId: string;
}

export interface Begun {
  /** False when the row is gone or final: there is nothing to do. */
  proceed: boolean;
  /** Object key of the uploaded file; null when the source is a URL that `fetchSource` must fetch first. */
  uploadKey: string | null;
  /** ISO 639-1 code that was asked for; null for detection. */
  language: string | null;
  languageHints: string[];
  /** Set when `vocabulary.json` holds terms to listen for. */
  vocabulary?: true;
  /** Requested modules; absent from histories before there were any. */
  modules?: string[];
}

export interface Prepared {
  durationMs: number;
  speechMs: number;
  chunks: number;
  windows: number;
}

export interface Recognised {
  /** Length of the chunk's range of the recording. */
  audioMs: number;
  /** Windows in the chunk, and how many of them this attempt recognised (the rest were found done). */
  windows: number;
  recognised: number;
}

export interface Assembled {
  utterances: number;
}

export interface Understood {
  delivered: number;
  /** Warnings of the group. */
  undelivered: number;
  promptTokens: number;
  completionTokens: number;
}

export interface DatabaseSteps {
  begin(input: Reference): Promise<Begun>;
  recordPlan(input: Reference & { queue: TaskQueue; durationMs: number; chunks: number }): Promise<void>;
  recordProgress(input: Reference & { queue: TaskQueue; doneChunks: number; doneMs: number }): Promise<void>;
  assemble(input: Reference & { language: string | null; languageHints: string[] }): Promise<Assembled>;
  settle(input: Reference): Promise<void>;
  fail(input: Reference & { code: string }): Promise<void>;
  cleanUp(input: Reference): Promise<void>;
}

export interface FetchSteps {
  fetchSource(input: Reference): Promise<void>;
}

export interface MediaSteps {
  prepare(input: Reference & { sourceKey: string | null }): Promise<Prepared>;
  diarise(input: Reference): Promise<{ speakers: number }>;
}

export interface SpeechSteps {
  identify(input: Reference & { languageHints: string[] }): Promise<{ language: string }>;
  recognise(input: Reference & { chunk: number; language: string; vocabulary?: true }): Promise<Recognised>;
}

/** Speakers by role, and warnings of it. */
export interface Attributed {
  agents: number;
  customers: number;
  warnings: number;
}

export interface LanguageSteps {
  /** Who is the agent and who the customer; nobody where that is not sure. */
  attributeRoles(input: Reference): Promise<Attributed>;
  /** The modules of one group; what could not be had is a warning in its result, never a failure. */
  understand(input: Reference & { group: Group; modules: Module[] }): Promise<Understood>;
}

export interface WebhookSteps {
  /** Makes the pending attempt if it is due. Answers how long to wait for the next look; null: nothing is owed. */
  attemptDelivery(input: { webhookId: string; eventId: string }): Promise<{ waitMs: number | null }>;
  sendMail(input: { eventId: string; memberId: string }): Promise<void>;
}
