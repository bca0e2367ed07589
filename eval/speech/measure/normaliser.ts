import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Conversation } from "../../../test/support/conversation.ts";
import { pythonPrograms } from "../../python-programs.ts";

/** Words as word error rates compare them. */
export interface Normaliser {
  /** A list of words a text. `language` is ISO 639-1: English has a normaliser of its own, all others the basic one. */
  words(texts: readonly string[], language: string | null): Promise<string[][]>;
  close(): Promise<void>;
}

/**
 * The normalisers that Whisper's paper measured with (Radford et al., 2022, appendix C), as published: English with its
 * contractions, spellings and numbers; any other language in lower case without punctuation, and here without
 * diacritics. They run in a Python process of their own.
 */
export async function startNormaliser(say: (line: string) => void = () => undefined): Promise<Normaliser> {
  const programs = await pythonPrograms(new URL("../../python/normaliser.txt", import.meta.url), () =>
    say("making a Python environment for the text normaliser (once)"),
  );
  const script = fileURLToPath(new URL("../../python/normalise.py", import.meta.url));
  const python = await Conversation.start<{ language: string | null; texts: readonly string[] }, { words: string[][] }>(
    "the text normaliser",
    join(programs, "python"),
    [script],
  );
  return {
    words: async (texts, language) => (await python.ask({ language, texts })).words,
    close: () => python.stop(),
  };
}
