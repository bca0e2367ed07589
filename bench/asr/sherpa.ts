import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const VERSION = "1.13.8";

/** Where the package was installed and the model's vocabulary as sherpa-onnx reads it. */
export interface SherpaOnnx {
  home: string;
  tokens: string;
}

/** Installs the package into a directory of its own (once a version) and writes the vocabulary of `model` for it. */
export async function prepareSherpa(cache: string, model: string, say: (line: string) => void): Promise<SherpaOnnx> {
  const home = join(cache, `sherpa-onnx-${VERSION}`);
  if (!existsSync(home)) {
    say("fetching sherpa-onnx-node (once)");
    const making = `${home}.${process.pid}.tmp`;
    await mkdir(making, { recursive: true });
    await writeFile(join(making, "package.json"), "{}");
    const wanted = `sherpa-onnx-node@${VERSION}`;
    await promisify(execFile)("npm", ["install", "--no-audit", "--no-fund", wanted], { cwd: making });
    await rename(making, home).catch(async (error: unknown) => {
      await rm(making, { recursive: true, force: true });
      if (!existsSync(home)) throw error;
    });
  }
  const { model: bpe } = JSON.parse(await readFile(join(model, "tokenizer.json"), "utf8")) as {
    model: { vocab: Record<string, number> };
  };
  const tokens = join(home, "moonshine-tokens.txt");
  await writeFile(tokens, sherpaTokens(bpe.vocab));
  return { home, tokens };
}

/**
 * A line a token: its bytes in base64 and its number. A byte token is its byte, SentencePiece's low line a space. Its
 * `scripts/moonshine/v2/generate_tokens.py` makes the same of the model's binary vocabulary.
 */
export function sherpaTokens(vocabulary: Readonly<Record<string, number>>): string {
  const lines = Object.entries(vocabulary).map(([piece, id]) => {
    const byte = /^<0x([0-9A-F]{2})>$/.exec(piece)?.[1];
    const bytes = byte ? Buffer.from(byte, "hex") : Buffer.from(piece.replaceAll("▁", " "));
    return { id, line: `${bytes.toString("base64")} ${id}\n` };
  });
  return lines
    .toSorted((a, b) => a.id - b.id)
    .map(({ line }) => line)
    .join("");
}
