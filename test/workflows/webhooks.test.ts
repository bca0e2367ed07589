import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import test from "ava";
import Stripe from "stripe";
import { addCredit } from "../../billing/credit.ts";
import { failTranscript } from "../../billing/fail-transcript.ts";
import { putMember } from "../../storage/organizations.ts";
import { deleteEndpoint, enableEndpoint, readEndpoint } from "../../webhooks/endpoints.ts";
import { status } from "../support/receiver.ts";
import { eventually } from "./stack.ts";
import { startWebhookStack, type WebhookStack } from "./webhook-stack.ts";

let stack: WebhookStack;
test.before(async () => {
  stack = await startWebhookStack();
});
test.after.always(() => stack?.stop());

const QUEUES = "transcripts,webhooks";
const { webhooks } = new Stripe("sk_unused");

test.serial("a transcript's event is delivered once, signed, and the outbox empties", async (t) => {
  const worker = await stack.webhooksWorker(QUEUES);
  const subscriber = await stack.subscriber(["transcript.failed"]);
  const { organizationId, receiver, secret } = subscriber;
  const { db } = stack.postgres;
  await addCredit(db, { organizationId, amountEur: "1", reference: "test" });
  const { id } = await stack.submit(Buffer.from("no recording"), { organizationId });
  await failTranscript(db, id, "No se ha podido leer el audio.");
  const { id: eventId, body } = await db.event.findFirstOrThrow({ where: { organizationId } });
  t.like((await subscriber.made(eventId, 1)).at(0), { attempt: 1, status: "delivered", responseStatus: 200 });
  t.deepEqual(receiver.events(), [eventId]);
  const [request] = receiver.received;
  t.is(request?.body.toString(), body);
  const header = String(request?.headers["service-signature"]);
  const event = webhooks.constructEvent(request?.body ?? "", header, secret);
  t.like(event, { id: eventId, event: "transcript.failed", transcript_id: id });

  await eventually(async () => (await subscriber.workflow(eventId)) === "COMPLETED");
  const metrics = async () => (await fetch(worker.metricsUrl)).text();
  await eventually(async () => {
    const lags = [...(await metrics()).matchAll(/^escriba_outbox_lag_seconds\{.*\} (\S+)$/gm)];
    return lags.length >= 11 && lags.every(([, value]) => value === "0");
  });
  t.regex(await metrics(), /^escriba_webhook_deliveries_total\{outcome="delivered",.*\} 1$/m);
  t.regex(await metrics(), /^escriba_webhook_delivery_seconds_count\{.*\} 1$/m);
  t.is(await db.outbox.count({ where: { doneAt: null } }), 0);
  await worker.drain();
});

test.serial(
  "500 and then 200: the same bytes and id a minute later, a fresh signature, one logical event",
  async (t) => {
    const worker = await stack.webhooksWorker(QUEUES);
    const subscriber = await stack.subscriber();
    subscriber.receiver.answer = status(500);
    const eventId = await subscriber.emit();
    const [first, second] = await subscriber.made(eventId, 1);
    t.like(first, { attempt: 1, status: "failed", responseStatus: 500, error: "http_status" });
    const due = (second?.nextAttemptAt?.getTime() ?? 0) - (first?.attemptedAt?.getTime() ?? 0);
    t.true(due >= 60_000);
    subscriber.receiver.answer = status(200);
    await sleep(1_000 - (Date.now() % 1_000)); // into the next second, for another `t`
    await subscriber.skipWait(eventId);
    const made = await subscriber.made(eventId, 2);
    t.deepEqual(
      made.map(({ attempt, status }) => [attempt, status]),
      [
        [1, "failed"],
        [2, "delivered"],
      ],
    );
    const [one, two] = subscriber.receiver.received;
    t.deepEqual(one?.body, two?.body);
    t.deepEqual(subscriber.receiver.events(), [eventId, eventId]);
    t.not(one?.headers["service-signature"], two?.headers["service-signature"]);
    const header = String(two?.headers["service-signature"]);
    t.notThrows(() => webhooks.constructEvent(two?.body ?? "", header, subscriber.secret));
    t.is(
      (await readEndpoint(stack.postgres.db, subscriber.organizationId, subscriber.webhookId))?.consecutiveFailures,
      0,
    );
    await worker.drain();
  },
);

test.serial(
  "hangs, redirects to a metadata address, closes early, rebinds, endless body: one logical event each",
  async (t) => {
    let rebound = false;
    const resolve = async () => [rebound ? "169.254.169.254" : "127.0.0.1"];
    const worker = await stack.webhooksWorker(QUEUES, { timeoutMs: 500, resolve });
    const subscriber = await stack.subscriber();
    const { receiver } = subscriber;
    const eventId = await subscriber.emit();
    receiver.answer = () => undefined;
    t.like((await subscriber.made(eventId, 1)).at(0), { status: "failed", error: "timeout" });

    const location = "http://169.254.169.254/latest/meta-data/";
    receiver.answer = (_, response) => response.writeHead(302, { location }).end();
    await subscriber.skipWait(eventId);
    t.like((await subscriber.made(eventId, 2)).at(1), { status: "failed", error: "redirect", responseStatus: 302 });

    receiver.answer = (_, _response, request) => request.socket.destroy();
    await subscriber.skipWait(eventId);
    t.like((await subscriber.made(eventId, 3)).at(2), { status: "failed", error: "unreachable" });

    rebound = true;
    await subscriber.skipWait(eventId);
    t.like((await subscriber.made(eventId, 4)).at(3), { status: "blocked", error: "blocked_address" });

    rebound = false;
    receiver.answer = async (_, response) => {
      response.writeHead(200);
      while (!response.destroyed) if (!response.write(Buffer.alloc(65_536))) await once(response, "drain");
    };
    await subscriber.skipWait(eventId);
    t.like((await subscriber.made(eventId, 5)).at(4), { attempt: 5, status: "delivered" });
    t.deepEqual([...new Set(receiver.events())], [eventId]);
    t.is(receiver.received.length, 4); // the blocked attempt reached nobody
    await worker.drain();
  },
);

test.serial(
  "after the fifth retry the endpoint is off, its owner is told by mail alone, and enable brings it back",
  async (t) => {
    const worker = await stack.webhooksWorker(QUEUES);
    const subscriber = await stack.subscriber(["transcript.completed", "webhook.disabled"]);
    const { organizationId, webhookId, receiver } = subscriber;
    const { db } = stack.postgres;
    for (const role of ["owner", "billing", "developer"] as const) {
      await putMember(db, { organizationId, email: `${role}@example.com`, role });
    }
    receiver.answer = status(503);
    const [eventId, waiting] = [await subscriber.emit(), await subscriber.emit()];
    await subscriber.made(waiting, 1);
    for (let retry = 1; retry <= 5; retry++) {
      await subscriber.made(eventId, retry);
      await subscriber.skipWait(eventId);
    }
    await subscriber.made(eventId, 6);
    t.like(await readEndpoint(db, organizationId, webhookId), { status: "disabled", consecutiveFailures: 5 });
    t.like((await subscriber.attempts(waiting)).at(-1), { attempt: 2, status: "failed", error: "endpoint_disabled" });
    await subscriber.skipWait(waiting); // nothing is pending: the clock ends
    await eventually(async () => (await subscriber.workflow(waiting)) === "COMPLETED");
    const mails = await eventually(async () => {
      const own = (await stack.mails()).filter((mail) => mail.includes(webhookId));
      return own.length === 2 && own;
    });
    t.deepEqual(mails.map((mail) => /^To: (.+)\r$/m.exec(mail)?.[1]).sort(), [
      "billing@example.com",
      "owner@example.com",
    ]);
    for (const mail of mails) t.false(mail.includes(subscriber.secret));

    receiver.answer = status(200);
    await subscriber.emit(); // into the void
    await eventually(async () => (await db.outbox.count({ where: { organizationId, doneAt: null } })) === 0);
    await enableEndpoint(db, organizationId, webhookId);
    const next = await subscriber.emit();
    await subscriber.made(next, 1);
    t.deepEqual([...new Set(receiver.events())].sort(), [eventId, waiting, next].sort());
    t.true(receiver.received.every(({ body }) => JSON.parse(body.toString()).event === "transcript.completed"));
    await worker.drain();
  },
);

test.serial(
  "deleted while an attempt is under way and another waits: both end as failed, nothing follows",
  async (t) => {
    const worker = await stack.webhooksWorker(QUEUES);
    const subscriber = await stack.subscriber();
    const { organizationId, webhookId, receiver } = subscriber;
    receiver.answer = status(500);
    const waiting = await subscriber.emit();
    await subscriber.made(waiting, 1);
    const reached = Promise.withResolvers<() => void>();
    receiver.answer = (_, response) => reached.resolve(() => response.writeHead(200).end());
    const eventId = await subscriber.emit();
    const answer = await reached.promise;
    t.true(await deleteEndpoint(stack.postgres.db, organizationId, webhookId));
    answer();
    await eventually(async () => (await subscriber.workflow(eventId)) === "COMPLETED");
    for (const id of [eventId, waiting]) {
      t.like((await subscriber.attempts(id)).at(-1), {
        status: "failed",
        error: "endpoint_deleted",
        attemptedAt: null,
      });
    }
    await subscriber.skipWait(waiting);
    await eventually(async () => (await subscriber.workflow(waiting)) === "COMPLETED");
    t.is(receiver.received.length, 2);
    await worker.drain();
  },
);
