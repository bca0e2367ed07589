import { randomBytes } from "node:crypto";
import test from "ava";
import { Shares } from "../../workflows/shares.ts";
import { deliverId } from "../../workflows/starts.ts";
import { KEY } from "../support/events.ts";
import { eventually } from "./stack.ts";
import { startWebhookStack, type WebhookStack } from "./webhook-stack.ts";

let stack: WebhookStack;
test.before(async () => {
  stack = await startWebhookStack();
});
test.after.always(() => stack?.stop());

test.serial("a receiver that hangs holds a quarter of the slots, and others are served meanwhile", async (t) => {
  const worker = await stack.webhooksWorker("transcripts,webhooks", {}, { ESCRIBA_SLOTS_WEBHOOKS: "4" });
  const slow = await stack.subscriber();
  const release = Promise.withResolvers<void>();
  let together = 0;
  let most = 0;
  slow.receiver.answer = async (_, response) => {
    together += 1;
    most = Math.max(most, together);
    await release.promise;
    together -= 1;
    response.writeHead(200).end();
  };
  const stuck = [];
  for (let count = 0; count < 12; count++) stuck.push(await slow.emit());
  await eventually(async () => slow.receiver.received.length > 0);
  const quick = await stack.subscriber();
  for (let count = 0; count < 3; count++) {
    const eventId = await quick.emit();
    t.like((await quick.made(eventId, 1)).at(0), { status: "delivered" });
  }
  t.is(slow.receiver.received.length, 1);
  // What waits is ordered by organization too.
  const handle = stack.temporal.client.workflow.getHandle(deliverId({ ...slow, eventId: stuck[0] ?? "" }));
  const { events } = await handle.fetchHistory();
  const scheduled = events?.map((event) => event.activityTaskScheduledEventAttributes).find(Boolean);
  t.is(scheduled?.priority?.fairnessKey, slow.organizationId);
  release.resolve();
  t.like((await slow.made(slow.receiver.events()[0] as string, 1)).at(0), { status: "delivered" });
  t.is(most, 1);
  await worker.drain();
});

test.serial(
  "a key that is missing is our fault: the row waits, the receiver is not blamed, and it is delivered later",
  async (t) => {
    const wrong = { ESCRIBA_SECRETS_KEY: randomBytes(32).toString("base64") };
    const first = await stack.webhooksWorker("transcripts,webhooks", {}, wrong);
    const subscriber = await stack.subscriber();
    const eventId = await subscriber.emit();
    await eventually(async () => {
      const page = await (await fetch(first.metricsUrl)).text();
      return /escriba_step_failures_total\{step="attemptDelivery",code="secret_unreadable"/.test(page);
    });
    const [row, ...none] = await subscriber.attempts(eventId);
    t.like(row, { attempt: 1, status: "pending" });
    t.deepEqual(none, []);
    t.is(subscriber.receiver.received.length, 0);
    await first.drain();
    const both = { ESCRIBA_SECRETS_KEY: `${wrong.ESCRIBA_SECRETS_KEY},${KEY.toString("base64")}` };
    const second = await stack.webhooksWorker("transcripts,webhooks", {}, both);
    t.like((await subscriber.made(eventId, 1)).at(0), { attempt: 1, status: "delivered" });
    await second.drain();
  },
);

test("shares are counted by key, and at least one", (t) => {
  const shares = new Shares(0.25);
  t.true(shares.take("a"));
  t.false(shares.take("a"));
  t.true(shares.take("b"));
  shares.give("a");
  t.true(shares.take("a"));
  const two = new Shares(2);
  t.deepEqual([two.take("a"), two.take("a"), two.take("a")], [true, true, false]);
});
