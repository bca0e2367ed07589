import type { LlamaModel, Token } from "node-llama-cpp";

/** Tokens before the new ones that the detokenizer looks at, for spaces between words. */
const CONTEXT = 4;
/** A character has at most four bytes, each at worst a token of its own; more means broken text, which is shown. */
const PATIENCE = 4;
const REPLACEMENT = "\uFFFD";

/** Tokens → text as they come. A character that is spread over tokens is held back until it is whole. */
export class TokenText {
  readonly #model: Pick<LlamaModel, "detokenize">;
  #before: Token[] = [];
  #pending: Token[] = [];

  constructor(model: Pick<LlamaModel, "detokenize">) {
    this.#model = model;
  }

  push(token: Token): string {
    this.#pending.push(token);
    const text = this.#model.detokenize(this.#pending, false, this.#before);
    if (text.endsWith(REPLACEMENT) && this.#pending.length < PATIENCE) return "";
    return this.#take(text);
  }

  /** What was held back, when nothing follows. */
  end(): string {
    return this.#take(this.#pending.length > 0 ? this.#model.detokenize(this.#pending, false, this.#before) : "");
  }

  #take(text: string): string {
    this.#before = [...this.#before, ...this.#pending].slice(-CONTEXT);
    this.#pending = [];
    return text;
  }
}
