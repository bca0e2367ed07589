import { readFile } from "node:fs/promises";
import test from "ava";
import { defaultModelsDirectory, ensure } from "../../models/ensure.ts";
import { isAlive } from "../../process/alive.ts";
import { createEngine, type Engine } from "../../speech/engine/engine.ts";
import { readResult } from "../../storage/results.ts";
import { FAILURES } from "../../workflows/failures.ts";
import { type Stack, startStack } from "./stack.ts";

/** The real engine with its real process, to which something is done from outside while it hears what is asked of it. */
type Harm = (request: Parameters<Engine["recognise"]>[0], pid: number) => void;

let stack: Stack;
let modelDir: string;
test.before(async () => {
  modelDir = await ensure("whisper-base", {
    dir: process.env.ESCRIBA_MODELS_DIR || defaultModelsDirectory(process.env),
  });
  stack = await startStack();
});
test.after.always(() => stack?.stop());

const CALL = new URL("../../embedded/sample/call.ogg", import.meta.url);

function harmed(harm: Harm): Engine & { pids: Set<number> } {
  const engine = createEngine({ modelDir, threads: 2, silenceMs: 15_000 });
  const pids = new Set<number>();
  return {
    pids,
    get pid() {
      return engine.pid;
    },
    identify: (...call) => engine.identify(...call),
    close: () => engine.close(),
    recognise: (request, options) =>
      engine.recognise(request, {
        ...options,
        onProgress: () => {
          if (engine.pid !== undefined) {
            pids.add(engine.pid);
            harm(request, engine.pid);
          }
          options.onProgress?.();
        },
      }),
  };
}

test.serial("a child that sleeps is killed and its chunk redone", async (t) => {
  let asleep: number | undefined;
  const engine = harmed((_, pid) => {
    if (asleep !== undefined) return;
    asleep = pid;
    process.kill(pid, "SIGSTOP");
  });
  const worker = await stack.worker({ engine });
  const submitted = await stack.submit(await readFile(CALL), { language: "en" });
  t.is((await submitted.final())?.status, "completed");
  t.is(engine.pids.size, 2);
  t.false(isAlive(asleep ?? 0));
  t.true(((await readResult(stack.postgres.db, submitted.id))?.text.length ?? 0) > 500);
  t.deepEqual(await submitted.ledger(), ["hold", "charge"]);
  await worker.drain();
});

test.serial("a chunk that always kills its child ends only its own transcript", async (t) => {
  let deaths = 0;
  const engine = harmed(({ language }, pid) => {
    if (language !== "fr") return;
    deaths += 1;
    process.kill(pid, "SIGKILL");
  });
  const worker = await stack.worker({ engine });
  const audio = await readFile(CALL);
  const deadly = await stack.submit(audio, { language: "fr" });
  const neighbours = await Promise.all([1, 2].map(() => stack.submit(audio, { language: "en" })));
  const failed = await deadly.final();
  t.is(failed?.status, "failed");
  t.is(failed?.errorMessage, FAILURES.recognition_crashed.message);
  t.deepEqual(await deadly.ledger(), ["hold", "release"]);
  t.true(deaths >= 5);
  for (const neighbour of neighbours) {
    t.is((await neighbour.final())?.status, "completed");
    t.true(((await readResult(stack.postgres.db, neighbour.id))?.text.length ?? 0) > 500);
    const { events } = await stack.temporal.client.workflow.getHandle(neighbour.id).fetchHistory();
    const attempts = (events ?? []).map((event) => event.activityTaskStartedEventAttributes?.attempt ?? 1);
    t.is(Math.max(...attempts), 1, "a neighbour's chunk was never under way when the child died");
  }
  // The engine goes on: the next one is heard.
  const next = await stack.submit(audio, { language: "en" });
  t.is((await next.final())?.status, "completed");
  await worker.drain();
});
