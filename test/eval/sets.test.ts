import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { buildSets } from "../../eval/speech/sets/build.ts";

test("a name that is no set is refused with the names there are", async (t) => {
  const cache = await mkdtemp(join(tmpdir(), "escriba-sets-"));
  t.teardown(() => rm(cache, { recursive: true }));
  await t.throwsAsync(buildSets({ cache, say: () => {}, only: ["natural", "song"] }), {
    message: /no set is called song; there are natural, call/,
  });
});
