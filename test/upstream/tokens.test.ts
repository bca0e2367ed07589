import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import fc from "fast-check";
import { createLog } from "../../process/log.ts";
import { pieces, TokenCounter } from "../../upstream/tokens.ts";
import { WORDS } from "./word-tokenizer.ts";

const log = createLog("tokens", "silent");

test("with the model's tokenizer tokens are counted, long texts too", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "escriba-tokens-"));
  const path = join(directory, "tokenizer.json");
  await writeFile(path, JSON.stringify(WORDS));
  const counter = new TokenCounter(path, log);
  t.deepEqual(await counter.count(["hola hola", "hola", ""]), { tokens: 3, estimated: false });
  t.deepEqual(await counter.count(["hola ".repeat(20_000)]), { tokens: 20_000, estimated: false });
  await rm(directory, { recursive: true });
});

test("without one, and with one that cannot be used, tokens are estimated from bytes and marked so", async (t) => {
  for (const path of [undefined, "/nowhere/tokenizer.json", import.meta.filename]) {
    t.deepEqual(await new TokenCounter(path, log).count(["ñandú", "x"]), { tokens: 2, estimated: true });
  }
});

test("pieces are the text, cut between words and never inside a character", (t) => {
  const word = fc.constantFrom("a", " ", "\n", "🙂", "palabra ", "x".repeat(9_000), "🙂".repeat(5_001));
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), (words) => {
      const text = words.join("");
      const cut = [...pieces(text)];
      t.is(cut.join(""), text);
      for (const piece of cut) {
        t.true(piece.length > 0 && piece.length <= 16_384);
        t.true(piece.isWellFormed());
      }
    }),
  );
});
