import * as z from "zod";
import type { Clock } from "../clock.ts";
import { CallFailed, jsonCall } from "../json-call.ts";
import { type DemandObservation, demandObservation } from "../observation.ts";
import type { SecretKey, Tokens } from "./tokens.ts";

/** Asks an address what waits. `date` is the other side's clock; rejects when there is no answer. */
export type AskDemand = (url: string, token: string) => Promise<{ body: unknown; date: number | null }>;

export interface DemandAddress {
  namespace: string;
  url: string;
  tokenSecret: SecretKey;
}

export interface Demand {
  demand: DemandObservation | null;
  /** Why the last question has no answer; null when it has. */
  error: string | null;
}

const ANSWER_MS = 1_500;
/** 32 organizations take 10 kB; tens of thousands fit. */
const MOST_BYTES = 8 * 2 ** 20;

/** What `GET /internal/demand` must answer; whatever else is no demand. */
export const demandAnswer = demandObservation.extend({ version: z.literal(1) });

export const httpDemand: AskDemand = (url, token) =>
  jsonCall({ method: "GET", url, token, timeoutMs: ANSWER_MS, mostBytes: MOST_BYTES });

/** The last answer of every address, asked once for all the pools of a namespace that name it. */
export class DemandAnswers {
  readonly #ask: AskDemand;
  readonly #tokens: Tokens;
  readonly #clock: Clock;
  readonly #answers = new Map<string, Demand>();
  readonly #asking = new Map<string, Promise<void>>();

  constructor(ask: AskDemand, tokens: Tokens, clock: Clock) {
    this.#ask = ask;
    this.#tokens = tokens;
    this.#clock = clock;
  }

  /** Asks these addresses, and forgets the others. Never rejects: what went wrong is in the answer. */
  async refresh(addresses: DemandAddress[]): Promise<void> {
    const present = new Map(addresses.map((address) => [keyOf(address), address]));
    for (const key of this.#answers.keys()) if (!present.has(key)) this.#answers.delete(key);
    await Promise.all([...present.values()].map((address) => this.#refreshOne(address)));
  }

  /** Asks it unless it was asked before. */
  async askNew(address: DemandAddress): Promise<void> {
    if (!this.#answers.has(keyOf(address))) await this.#refreshOne(address);
  }

  of(address: DemandAddress): Demand {
    return this.#answers.get(keyOf(address)) ?? { demand: null, error: null };
  }

  #refreshOne(address: DemandAddress): Promise<void> {
    const key = keyOf(address);
    const asking = this.#asking.get(key) ?? this.#askOnce(address).finally(() => this.#asking.delete(key));
    this.#asking.set(key, asking);
    return asking;
  }

  async #askOnce(address: DemandAddress): Promise<void> {
    const key = keyOf(address);
    const { namespace, url, tokenSecret } = address;
    try {
      const token = await this.#tokens.read(namespace, tokenSecret);
      const { body, date } = await this.#ask(url, token);
      const parsed = demandAnswer.safeParse(body);
      if (!parsed.success) throw new Error(`${url}: not a demand: ${z.prettifyError(parsed.error).slice(0, 300)}`);
      this.#answers.set(key, { demand: this.#ours(parsed.data, date), error: null });
    } catch (error) {
      if (error instanceof CallFailed && error.status === 401) this.#tokens.forget(namespace, tokenSecret);
      this.#answers.set(key, { demand: this.of(address).demand, error: (error as Error).message });
    }
  }

  /** The moment of the observation by our clock, which need not agree with the other side's. */
  #ours({ observedAt, organizations }: z.output<typeof demandAnswer>, date: number | null): DemandObservation {
    const now = this.#clock.now();
    const observed = Date.parse(observedAt);
    // `Date` is cut to seconds, so an answer made just now may look as if it came from the future.
    const age = Math.max(0, (date ?? now) - observed);
    return { observedAt: new Date(now - age).toISOString(), organizations };
  }
}

function keyOf({ namespace, url, tokenSecret }: DemandAddress): string {
  return [namespace, url, tokenSecret.name, tokenSecret.key].join(" ");
}
