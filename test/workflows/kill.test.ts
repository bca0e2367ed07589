import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import test from "ava";
import { readResult } from "../../storage/results.ts";
import { eventually, type Stack, startStack } from "./stack.ts";

/** The shipped call: 58.8 s of speech in three windows, the engine decoding two of them at a time. */
const CALL = new URL("../../embedded/sample/call.ogg", import.meta.url);
const BATCH = 2;

let stack: Stack;
test.before(async () => {
  stack = await startStack();
});
test.after.always(() => stack?.stop());

test.serial(
  "kill -9 in mid-recognition: completes, charged once, at most a batch heard again, the same text",
  async (t) => {
    const audio = await readFile(CALL);
    const { db } = stack.postgres;
    const first = await stack.process("all");
    const undisturbed = await stack.submit(audio);
    t.is((await undisturbed.final())?.status, "completed");

    const disturbed = await stack.submit(audio);
    const windows = async () => (await disturbed.objects()).filter((key) => key.includes("/windows/"));
    const known = await eventually(async () => ((await windows()).length > 0 ? await windows() : false));
    await first.kill();
    const survivors = await windows();
    t.true(survivors.length >= known.length);
    const written = new Map<string, number>();
    for (const key of survivors) written.set(key, (await stat(join(stack.directory, "objects", key))).mtimeMs);

    const second = await stack.process("all");
    const total = 3;
    // Nothing that was stored is heard again: what is missing is all that the new worker recognises.
    await eventually(async () => {
      const row = await db.transcript.findUnique({ where: { id: disturbed.id } });
      for (const [key, time] of written) {
        const file = await stat(join(stack.directory, "objects", key)).catch(() => null);
        if (file) t.is(file.mtimeMs, time);
      }
      return row?.completedAt;
    });
    t.is((await disturbed.final())?.status, "completed");
    const recognised = metric(await second.metrics(), "escriba_windows_recognised_total");
    t.is(recognised, total - survivors.length);
    t.true(metric(await second.metrics(), "escriba_windows_redone_total") <= BATCH);

    t.deepEqual(await disturbed.ledger(), ["hold", "charge"]);
    t.deepEqual(await disturbed.events(), ["transcript.completed"]);
    const [one, other] = [await readResult(db, undisturbed.id), await readResult(db, disturbed.id)];
    t.true((one?.text.length ?? 0) > 500);
    t.is(one?.text, other?.text);
    t.is(one?.words, other?.words);
    t.is(one?.utterances, other?.utterances);

    t.is(await second.end(), 0);
  },
);

function metric(page: string, name: string): number {
  const line = page.split("\n").find((candidate) => candidate.startsWith(`${name}{`));
  return Number(line?.split(" ").at(-1));
}
