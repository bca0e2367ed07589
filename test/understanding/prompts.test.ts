import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import test from "ava";
import { catalogue } from "../../understanding/prompts/catalogue.ts";
import { PROMPT_VERSION } from "../../understanding/prompts/version.ts";

test("the version names just these words; another wording is another version", async (t) => {
  const versions = JSON.parse(
    await readFile(new URL("../../understanding/prompts/versions.json", import.meta.url), "utf8"),
  ) as Record<string, string>;
  const sum = createHash("sha256").update(JSON.stringify(catalogue())).digest("hex").slice(0, 16);
  t.is(versions[PROMPT_VERSION], sum, `a prompt has changed: add {"a new PROMPT_VERSION": "${sum}"} to versions.json`);
});
