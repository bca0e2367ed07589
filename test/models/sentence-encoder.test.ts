import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Tokenizer } from "@huggingface/tokenizers";
import test from "ava";
import { defaultModelsDirectory, ensure } from "../../models/ensure.ts";
import { floatsOf, i64, load } from "./session.ts";

/**
 * Of the vector of "This is an example sentence": the first numbers that a 32-bit run of the published model gives
 * (sentence-transformers/all-MiniLM-L6-v2, as its users print them).
 */
const PUBLISHED = [0.0677, 0.0635, 0.0487, 0.0793, 0.0374, 0.0027, 0.0394, -0.0071];

test("the converted sentence encoder gives the published model's vectors", async (t) => {
  t.timeout(600_000, "the first run downloads 84 MB");
  const directory = await ensure("all-minilm-l6-v2", { dir: defaultModelsDirectory(process.env) });
  const tokenizer = new Tokenizer(JSON.parse(await readFile(join(directory, "tokenizer.json"), "utf8")), {});
  const session = await load(join(directory, "sentence.onnx"));
  const { ids } = tokenizer.encode("This is an example sentence");
  t.deepEqual([ids[0], ids.length], [101, 7], "[CLS], five words, [SEP]");
  const mean = floatsOf(await session.run({ input_ids: i64(ids, [1, ids.length]) }), "mean");
  t.is(mean.length, 384);
  const length = Math.hypot(...mean);
  for (const [i, expected] of PUBLISHED.entries()) {
    const found = (mean[i] as number) / length;
    t.true(Math.abs(found - expected) < 0.006, `number ${i}: ${found}, published ${expected}`);
  }
});
