import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** SentencePiece writes a space before a word as this. */
const SPACE = "▁";

/** Llama's vocabulary, as Moonshine has it: SentencePiece pieces, and a token for each byte that no piece writes. */
export class Vocabulary {
  readonly #bytes: (Uint8Array | undefined)[] = [];

  constructor(tokenizer: { model: { vocab: Record<string, number> }; added_tokens: { id: number }[] }) {
    for (const [piece, id] of Object.entries(tokenizer.model.vocab)) {
      const byte = /^<0x([0-9A-F]{2})>$/u.exec(piece)?.[1];
      this.#bytes[id] =
        byte === undefined ? Buffer.from(piece.replaceAll(SPACE, " ")) : Uint8Array.of(Number.parseInt(byte, 16));
    }
    for (const { id } of tokenizer.added_tokens) this.#bytes[id] = undefined;
  }

  static async read(directory: string): Promise<Vocabulary> {
    return new Vocabulary(JSON.parse(await readFile(join(directory, "tokenizer.json"), "utf8")));
  }

  /** A special token has no bytes. */
  bytes(token: number): Uint8Array {
    return this.#bytes[token] ?? NOTHING;
  }

  text(tokens: readonly number[]): string {
    return Buffer.concat(tokens.map((token) => this.bytes(token))).toString("utf8");
  }
}

const NOTHING = new Uint8Array(0);
