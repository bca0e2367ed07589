import { readFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Whisper's byte-level BPE vocabulary, read one way only: token numbers to bytes. Bytes, because a character of more
 * than one byte is often split over tokens, and a word ends only where a character does.
 */
export class Vocabulary {
  readonly #bytes: (Uint8Array | undefined)[] = [];
  readonly #special = new Map<string, number>();

  constructor(tokenizer: TokenizerFile) {
    const byteOf = byteOfCharacter();
    for (const [text, id] of Object.entries(tokenizer.model.vocab)) {
      this.#bytes[id] = Uint8Array.from(text, (character) => byteOf.get(character) ?? 0x3f);
    }
    for (const { content, id } of tokenizer.added_tokens) {
      this.#special.set(content, id);
      this.#bytes[id] = undefined;
    }
  }

  static async read(directory: string): Promise<Vocabulary> {
    return new Vocabulary(JSON.parse(await readFile(join(directory, "tokenizer.json"), "utf8")));
  }

  /** Number of a special token such as `<|es|>`; undefined when this model lacks it. */
  special(text: string): number | undefined {
    return this.#special.get(text);
  }

  /** A special token has no bytes. */
  bytes(token: number): Uint8Array {
    return this.#bytes[token] ?? NOTHING;
  }

  /** Text of a run of tokens; bytes that are no UTF-8 become U+FFFD. */
  text(tokens: readonly number[]): string {
    return Buffer.concat(tokens.map((token) => this.bytes(token))).toString("utf8");
  }
}

export interface TokenizerFile {
  model: { vocab: Record<string, number> };
  added_tokens: { id: number; content: string }[];
}

const NOTHING = new Uint8Array(0);

/**
 * GPT-2's printable stand-ins for bytes (openai/gpt-2 `bytes_to_unicode`): printable Latin-1 stands for itself, the
 * other 68 bytes are U+0100 onwards in order.
 */
function byteOfCharacter(): Map<string, number> {
  const map = new Map<string, number>();
  let next = 0x100;
  for (let byte = 0; byte < 256; byte++) {
    const printable = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
    map.set(String.fromCharCode(printable ? byte : next++), byte);
  }
  return map;
}
