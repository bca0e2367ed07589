import { setTimeout as sleep } from "node:timers/promises";
import test from "ava";
import { DoubleEngine, preparing } from "./doubles.ts";
import { type Stack, startStack } from "./stack.ts";

let stack: Stack;
test.before(async () => {
  stack = await startStack();
});
test.after.always(() => stack?.stop());

/** Answers the attempt number of every step that was started. */
async function attempts(id: string): Promise<number[]> {
  const { events = [] } = await stack.temporal.client.workflow.getHandle(id).fetchHistory();
  return (events ?? []).flatMap(({ activityTaskStartedEventAttributes: started }) =>
    started ? [started.attempt ?? 1] : [],
  );
}

test.serial("workers come and go under load, and no step is lost or done twice", async (t) => {
  const prepareAudio = preparing(10, 2);
  const slow = () => new DoubleEngine(() => sleep(15));
  const speech = { ESCRIBA_QUEUES: "speech,speech-short", ESCRIBA_SLOTS_SPEECH_SHORT: "2" };
  const core = await stack.worker({ prepareAudio }, { ESCRIBA_QUEUES: "transcripts,media,language" });
  const engines = [slow(), slow()];
  const pool = await Promise.all(engines.map((engine) => stack.worker({ engine }, speech)));
  const submitted = await Promise.all(
    Array.from({ length: 12 }, () => stack.submit(Buffer.from("x"), { language: "es" })),
  );
  let drains = 0;
  const finished = Promise.all(submitted.map(({ final }) => final()));
  let busy = true;
  void finished.then(() => {
    busy = false;
  });
  while (busy) {
    const engine = slow();
    engines.push(engine);
    pool.push(await stack.worker({ engine }, speech));
    await pool.shift()?.drain();
    drains += 1;
  }
  for (const row of await finished) t.is(row?.status, "completed");
  t.true(drains > 1);
  for (const { id } of submitted) t.true((await attempts(id)).every((attempt) => attempt === 1));
  t.is(engines.flatMap(({ heard }) => heard).length, 12 * 20);
  await Promise.all([core, ...pool].map((worker) => worker.drain()));
});

test.serial(
  "a drain waits for the step at hand; past the grace the step goes back and another worker does it",
  async (t) => {
    const gate = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const stuck = new DoubleEngine(async (_, { signal }) => {
      reached.resolve();
      await new Promise<void>((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    });
    const patient = new DoubleEngine(() => gate.promise);
    const core = await stack.worker(
      { prepareAudio: preparing(1, 1) },
      { ESCRIBA_QUEUES: "transcripts,media,language" },
    );
    const first = await stack.worker(
      { engine: stuck },
      { ESCRIBA_QUEUES: "speech-short", ESCRIBA_GRACE_SECONDS: "0.2" },
    );
    const submitted = await stack.submit(Buffer.from("x"), { language: "es" });
    await reached.promise;
    await first.drain();
    await first.ended;
    t.deepEqual(stuck.heard, []);

    const second = await stack.worker({ engine: patient }, { ESCRIBA_QUEUES: "speech-short" });
    while (patient.calls.length === 0) await sleep(20);
    let drained = false;
    const ending = second.drain().then(() => {
      drained = true;
    });
    await sleep(300);
    t.false(drained);
    const ready = await fetch(second.metricsUrl.replace(/metrics$/, "readyz"));
    t.is(ready.status, 503);
    gate.resolve();
    await ending;
    t.is((await submitted.final())?.status, "completed");
    t.deepEqual(patient.heard, [0]);
    await core.drain();
  },
);
