import { setTimeout as sleep } from "node:timers/promises";
import { UpstreamBroken, UpstreamRefused, UpstreamUnavailable } from "../upstream/errors.ts";
import { type Answered, ask } from "./ask.ts";
import { languageName } from "./language.ts";
import { accountFor } from "./metrics.ts";
import { tokensOf } from "./parts.ts";
import { framed, type Kind } from "./prompts/frame.ts";
import type { AnyReader } from "./readers.ts";
import type { Group } from "./types.ts";
import type { WithModel } from "./understand.ts";

/** Larger windows are not filled: models lose what stands in the middle of long texts. */
const LARGEST_PART = 12_000;
/** The least a server of `service-llm-1-*` has when nothing is said of its window (interface, 2.12). */
const CATALOGUE_WINDOW = 250_000;
/** Tokens of a chat template, and of what the estimate of a prompt may be off. */
const MARGIN = 96;
/** How long the server may ask us to stay away before it counts as away. */
const LONGEST_WAIT_MS = 30_000;

export interface Letter {
  readers: readonly AnyReader[];
  text: string;
  kind: Kind;
  /** Of the text. */
  tokens: number;
  temperature: number;
}

/** `too long`: the server's window is smaller than we were told. `broken`: an answer that did not end. */
export type Response = Answered | "too long" | "broken" | "away";

/** Writes one group's questions about one call to its model, and keeps the accounts. */
export class Correspondent {
  promptTokens = 0;
  completionTokens = 0;
  readonly #parts: WithModel;
  readonly #group: Group;
  readonly #language: string;
  /** Ends before the signal where patience does. */
  readonly #hurry: AbortSignal;

  constructor(parts: WithModel, group: Group, language: string) {
    const { signal, patienceMs } = parts;
    this.#parts = parts;
    this.#group = group;
    this.#language = languageName(language);
    this.#hurry =
      patienceMs === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(patienceMs))]);
  }

  /** Rejects with the signal's reason, and for faults of ours. */
  async ask({ readers, text, kind, tokens, temperature }: Letter): Promise<Response> {
    const { client, random, signal, log } = this.#parts;
    const fields = readers.map(({ field }) => field);
    const mark = random().toString(36).slice(2, 10).padEnd(8, "0");
    const question = {
      name: this.#group,
      ...framed({ fields, language: this.#language, text, kind, mark }),
      schema: schemaOf(readers),
      maxTokens: answerTokens(readers, tokens),
      temperature,
    };
    for (let away = 0; ; away += 1) {
      try {
        const answered = await ask(client, question, this.#hurry);
        signal.throwIfAborted();
        this.#account(answered);
        return answered;
      } catch (error) {
        signal.throwIfAborted();
        if (this.#hurry.aborted) return "away";
        if (error instanceof UpstreamRefused && error.kind === "context_length") return "too long";
        if (error instanceof UpstreamBroken) return "broken";
        if (!(error instanceof UpstreamUnavailable || error instanceof UpstreamRefused)) throw error;
        const wait = error instanceof UpstreamUnavailable ? (error.retryAfterMs ?? 0) : 0;
        if (away > 0 || wait === 0 || wait > LONGEST_WAIT_MS) {
          log.warn({ group: this.#group, err: error }, "nobody answers a question about a transcript");
          return "away";
        }
        await sleep(wait, undefined, { signal: this.#hurry }).catch(() => undefined);
      }
    }
  }

  /** Tokens of a call that one question of these readers may hold. */
  async room(readers: readonly AnyReader[]): Promise<number> {
    const { tokens, settings } = this.#parts.client;
    const fields = readers.map(({ field }) => field);
    const frame = framed({ fields, language: this.#language, text: "", kind: "call", mark: "00000000" });
    const fixed = (await tokensOf(tokens, frame.system + frame.user)) + answerTokens(readers, 0) + MARGIN;
    const each = 1 + readers.reduce((sum, reader) => sum + reader.tokens.each, 0);
    return Math.min(LARGEST_PART, Math.floor(((settings.context_window ?? CATALOGUE_WINDOW) - fixed) / each));
  }

  #account(answered: Answered): void {
    const { client, metrics } = this.#parts;
    this.promptTokens += answered.promptTokens;
    this.completionTokens += answered.completionTokens;
    accountFor(metrics, this.#group, client, answered);
  }
}

function schemaOf(readers: readonly AnyReader[]): object {
  return {
    type: "object",
    properties: Object.fromEntries(readers.map(({ field, schema }) => [field.name, schema])),
    required: readers.map(({ field }) => field.name),
    additionalProperties: false,
  };
}

/** About a part of so many tokens; the braces and names besides. */
function answerTokens(readers: readonly AnyReader[], part: number): number {
  return Math.ceil(readers.reduce((sum, { tokens }) => sum + 24 + tokens.fixed + tokens.each * part, 0));
}
