import { readFile } from "node:fs/promises";
import { setImmediate as turn } from "node:timers/promises";
import { Tokenizer } from "@huggingface/tokenizers";
import type { Logger } from "../process/log.ts";

/** Bytes a token has on average in the languages of the catalogue, for servers that give no usage. */
const BYTES_A_TOKEN = 4;
/** Characters encoded in one go: some milliseconds, after which others have their turn. */
const PIECE = 16_384;

export interface TokenCount {
  tokens: number;
  /** Not counted by the model's own tokenizer. */
  estimated: boolean;
}

/** Counts the tokens of texts by the model's tokenizer file, or estimates them from their bytes where there is none. */
export class TokenCounter {
  readonly #log: Logger;
  readonly #path: string | undefined;
  #tokenizer: Promise<Tokenizer | null> | undefined;

  /** `path` is a `tokenizer.json`; read when first needed. One that cannot be used is told once, and estimated without. */
  constructor(path: string | undefined, log: Logger) {
    this.#path = path;
    this.#log = log;
  }

  /** A prompt's own frame, some tokens a message, is not counted. */
  async count(texts: readonly string[]): Promise<TokenCount> {
    this.#tokenizer ??= this.#load();
    const tokenizer = await this.#tokenizer;
    if (!tokenizer) {
      const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
      return { tokens: Math.ceil(bytes / BYTES_A_TOKEN), estimated: true };
    }
    let tokens = 0;
    for (const text of texts) {
      for (const piece of pieces(text)) {
        if (tokens > 0) await turn();
        tokens += tokenizer.encode(piece, { add_special_tokens: false }).ids.length;
      }
    }
    return { tokens, estimated: false };
  }

  async #load(): Promise<Tokenizer | null> {
    if (this.#path === undefined) return null;
    try {
      const tokenizer = new Tokenizer(JSON.parse(await readFile(this.#path, "utf8")) as object, {});
      tokenizer.encode("1");
      return tokenizer;
    } catch (error) {
      this.#log.error({ err: error, path: this.#path }, "the tokenizer cannot be used: tokens are estimated");
      return null;
    }
  }
}

/** Cut where a line or a word ends, so that a cut adds a token at most. */
export function* pieces(text: string): Generator<string, void, undefined> {
  let start = 0;
  while (text.length - start > PIECE) {
    const limit = start + PIECE;
    const line = text.lastIndexOf("\n", limit);
    const word = line > start ? line : text.lastIndexOf(" ", limit);
    // Never between the halves of a pair.
    const hard = isLowSurrogate(text.charCodeAt(limit)) ? limit - 1 : limit;
    const end = word > start ? word : hard;
    yield text.slice(start, end);
    start = end;
  }
  if (start < text.length) yield text.slice(start);
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
