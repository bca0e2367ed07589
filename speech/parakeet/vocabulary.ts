import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** SentencePiece writes a space before a word as this. */
const SPACE = "▁";

/** The pieces of `vocab.txt`: one a line, `▁the 12`; the last is the blank. */
export class Vocabulary {
  readonly #pieces: readonly string[];

  constructor(file: string) {
    const pieces: string[] = [];
    for (const line of file.split("\n")) {
      const [, piece, number] = /^(.*) (\d+)\s*$/u.exec(line) ?? [];
      if (piece !== undefined) pieces[Number(number)] = piece;
    }
    if (pieces.length === 0) throw new Error("vocab.txt has no pieces");
    this.#pieces = pieces;
  }

  static async read(directory: string): Promise<Vocabulary> {
    return new Vocabulary(await readFile(join(directory, "vocab.txt"), "utf8"));
  }

  /** Pieces and the blank, which is the last. */
  get size(): number {
    return this.#pieces.length;
  }

  get blank(): number {
    return this.#pieces.length - 1;
  }

  /** UTF-8 of `text`. */
  bytes(token: number): Uint8Array {
    return Buffer.from(this.text(token));
  }

  /** What a token writes; nothing for a control token such as `<unk>`. */
  text(token: number): string {
    const piece = this.#pieces[token] ?? "";
    return /^<.*>$/u.test(piece) ? "" : piece.replaceAll(SPACE, " ");
  }
}
