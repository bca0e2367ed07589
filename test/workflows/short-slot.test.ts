import test from "ava";
import { preparing, upload } from "../../bench/operator/sleeping-engine.ts";
import type { WorkerStatus } from "../../workflows/worker-control.ts";
import { DoubleEngine } from "./doubles.ts";
import { eventually, type Stack, startStack } from "./stack.ts";

let stack: Stack;
test.before(async () => {
  stack = await startStack();
});
test.after.always(() => stack?.stop());

const LONG = upload({ chunks: 20, windows: 4, durationMs: 6_000_000, prepareMs: 0 });
const SHORT = upload({ chunks: 1, windows: 2, durationMs: 60_000, prepareMs: 0 });

test("with every slot of long recordings taken, a short one's slot is free, and its windows are heard next", async (t) => {
  const gate = Promise.withResolvers<void>();
  const order: string[] = [];
  class Noting extends DoubleEngine {
    override async recognise(...call: Parameters<DoubleEngine["recognise"]>): Promise<void> {
      order.push(call[0].language);
      await gate.promise;
      return super.recognise(...call);
    }
  }
  await stack.worker({ prepareAudio: preparing }, { ESCRIBA_QUEUES: "transcripts,media,language" });
  const worker = await stack.worker({ engine: new Noting() }, { ESCRIBA_QUEUES: "speech,speech-short" });
  const queues = async () => {
    const response = await fetch(new URL("/status", worker.metricsUrl));
    return ((await response.json()) as WorkerStatus).queues;
  };
  const long = await Promise.all([1, 2].map(() => stack.submit(LONG, { language: "es", creditEur: "100" })));
  await eventually(async () => (await queues()).speech?.busy === 2 && order.length === 1);
  const short = await stack.submit(SHORT, { language: "en" });
  const taken = await eventually(async () => {
    const now = await queues();
    return now["speech-short"]?.busy === 1 && now;
  });
  t.is(taken.speech?.busy, 2);
  t.deepEqual(order, ["es"]);
  gate.resolve();
  t.is((await short.final())?.status, "completed");
  // Unless a long one's next batch was begun while the short step still read its plan, the short one is second.
  t.true(order.indexOf("en") <= 2, order.slice(0, 6).join());
  for (const one of long) t.is((await one.final())?.status, "completed");
});
