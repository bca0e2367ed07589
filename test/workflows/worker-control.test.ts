import test from "ava";
import { DrainableSlots } from "../../workflows/slots.ts";
import { Speed } from "../../workflows/speed.ts";
import type { RunningWorker } from "../../workflows/worker.ts";
import { WorkerControl, type WorkerStatus } from "../../workflows/worker-control.ts";
import { DoubleEngine, preparing } from "./doubles.ts";
import { eventually, type Stack, startStack } from "./stack.ts";

let stack: Stack;
test.before(async () => {
  stack = await startStack();
});
test.after.always(() => stack?.stop());

const SHORT = { ESCRIBA_QUEUES: "speech-short", ESCRIBA_SLOTS_SPEECH_SHORT: "2" };

async function ask(worker: RunningWorker, path: string, method = "GET", token?: string) {
  const response = await fetch(new URL(path, worker.metricsUrl), {
    method,
    headers: token ? { Authorization: `Bearer ${token}` } : {},
  });
  const text = await response.text();
  return { code: response.status, body: (text.startsWith("{") ? JSON.parse(text) : null) as WorkerStatus };
}

const idle = (worker: RunningWorker) =>
  eventually(async () => {
    const { body } = await ask(worker, "/status");
    return body.permits === 0 && body.busy === 0;
  });

test.serial(
  "drained over HTTP, a worker ends its step, takes nothing more and stays; then it serves again",
  async (t) => {
    const gate = Promise.withResolvers<void>();
    const engine = new DoubleEngine(() => gate.promise);
    const core = await stack.worker(
      { prepareAudio: preparing(1, 1) },
      { ESCRIBA_QUEUES: "transcripts,media,language" },
    );
    const worker = await stack.worker({ engine }, SHORT);
    const serving = await ask(worker, "/status");
    t.is(serving.code, 200);
    t.like(serving.body, { version: 1, state: "serving", busy: 0, slots: 2, audioSecondsPerSecond: null });
    t.like(serving.body.queues["speech-short"], { slots: 2, busy: 0 });
    t.true(Math.abs(Date.parse(serving.body.startedAt) - Date.now()) < 600_000);

    const first = await stack.submit(Buffer.from("x"), { language: "es" });
    await eventually(async () => engine.calls.length === 1);
    t.is((await ask(worker, "/status")).body.busy, 1);
    const drain = await ask(worker, "/drain", "POST");
    t.is(drain.code, 202);
    t.like(drain.body, { state: "draining", busy: 1 });
    t.is((await ask(worker, "/drain", "POST")).code, 202);
    t.is((await ask(worker, "/readyz")).code, 503);
    t.is((await ask(worker, "/livez")).code, 200);
    gate.resolve();
    t.is((await first.final())?.status, "completed");
    await idle(worker);

    const second = await stack.submit(Buffer.from("x"), { language: "es" });
    await eventually(async () => {
      const history = await stack.temporal.client.workflow
        .getHandle(second.id)
        .fetchHistory()
        .catch(() => null);
      return history?.events?.some(
        (event) => event.activityTaskScheduledEventAttributes?.activityType?.name === "recognise",
      );
    });
    t.like((await ask(worker, "/status")).body, { state: "draining", permits: 0, busy: 0 });
    t.is(engine.calls.length, 1);
    const again = await ask(worker, "/drain", "DELETE");
    t.is(again.code, 200);
    t.is(again.body.state, "serving");
    t.is((await ask(worker, "/readyz")).code, 200);
    t.is((await second.final())?.status, "completed");
    t.true(((await ask(worker, "/status")).body.audioSecondsPerSecond ?? 0) > 0);
    await Promise.all([core.drain(), worker.drain()]);
  },
);

test.serial("a worker that ends cannot be made to serve again, and its step is finished", async (t) => {
  const gate = Promise.withResolvers<void>();
  const engine = new DoubleEngine(() => gate.promise);
  const core = await stack.worker({ prepareAudio: preparing(1, 1) }, { ESCRIBA_QUEUES: "transcripts,media,language" });
  const worker = await stack.worker({ engine }, SHORT);
  const submitted = await stack.submit(Buffer.from("x"), { language: "es" });
  await eventually(async () => engine.calls.length === 1);
  await ask(worker, "/drain", "POST");
  const ending = worker.drain();
  t.is((await ask(worker, "/drain", "DELETE")).code, 409);
  t.like((await ask(worker, "/status")).body, { state: "draining", busy: 1 });
  gate.resolve();
  await ending;
  t.is((await submitted.final())?.status, "completed");
  await core.drain();
});

test.serial("with a token, status and drain are for whoever has it", async (t) => {
  const worker = await stack.worker({ engine: new DoubleEngine() }, { ...SHORT, ESCRIBA_DRAIN_TOKEN: "t0ken" });
  for (const [path, method] of [
    ["/status", "GET"],
    ["/drain", "POST"],
    ["/drain", "DELETE"],
  ] as const) {
    t.is((await ask(worker, path, method)).code, 401);
    t.is((await ask(worker, path, method, "other")).code, 401);
  }
  t.is((await ask(worker, "/status", "GET", "t0ken")).body.state, "serving");
  t.is((await ask(worker, "/readyz")).code, 200);
  t.is((await ask(worker, "/metrics")).code, 200);
  t.is((await ask(worker, "/status", "POST", "t0ken")).code, 405);
  await worker.drain();
});

test("a worker drained while it starts never takes anything", async (t) => {
  const slots = new DrainableSlots(1);
  const control = new WorkerControl(new Map([["speech", slots]]), new Speed(1), new Date(0));
  t.is(control.state, "starting");
  await control.drain();
  control.serves();
  t.is(control.state, "draining");
  t.is(slots.tryReserveSlot(), null);
  t.deepEqual(control.status(), {
    version: 1,
    state: "draining",
    permits: 0,
    busy: 0,
    slots: 1,
    queues: { speech: { slots: 1, permits: 0, busy: 0 } },
    audioSecondsPerSecond: null,
    startedAt: "1970-01-01T00:00:00.000Z",
  });
});
