import test from "ava";
import { createLog } from "../../process/log.ts";
import { createRegistry } from "../../process/metrics.ts";
import type { Database } from "../../storage/database.ts";
import { putMember } from "../../storage/organizations.ts";
import { outboundPost } from "../../storage/outbound-post.ts";
import { parseNetworks } from "../../storage/public-address.ts";
import { attemptDelivery } from "../../workflows/activities/attempt-delivery.ts";
import { createOutboxMetrics } from "../../workflows/metrics.ts";
import { type RelayDependencies, serveOutbox } from "../../workflows/relay.ts";
import { Shares } from "../../workflows/shares.ts";
import { deliverId } from "../../workflows/starts.ts";
import { sweepDeliveries } from "../../workflows/sweep-deliveries.ts";
import { createWebhookMetrics } from "../../workflows/webhook-metrics.ts";
import { box, newEndpoint, relayed } from "../support/events.ts";
import { authority } from "../support/receiver.ts";
import { eventually } from "./stack.ts";
import { type Subscriber, startWebhookStack, type WebhookStack } from "./webhook-stack.ts";

/** No relay runs here but the one that each test drives, and kills. */
let stack: WebhookStack;
let relay: RelayDependencies;
const log = createLog("relay", "silent");
test.before(async () => {
  stack = await startWebhookStack();
  const { postgres, temporal, store } = stack;
  const metrics = createOutboxMetrics(createRegistry("test"));
  relay = { db: postgres.db, client: temporal.client, store, metrics, log };
});
test.after.always(() => stack?.stop());

class Killed extends Error {}

/** Counts the moments before and after each effect; at the chosen one the process is dead, and has no effect any more. */
class Mortal {
  readonly #at: number;
  moments = 0;
  constructor(at: number) {
    this.#at = at;
  }
  get dead(): boolean {
    return this.moments > this.#at;
  }
  async run<T>(effect: () => Promise<T>): Promise<T> {
    this.#pass();
    const answer = await effect();
    this.#pass();
    return answer;
  }
  #pass(): void {
    if (this.moments++ >= this.#at) throw new Killed();
  }
  database(db: Database): Database {
    const statement =
      (run: (...parameters: never[]) => Promise<unknown>) =>
      (...parameters: never[]) =>
        this.run(() => run.apply(db, parameters));
    return {
      $queryRaw: statement(db.$queryRaw as never),
      $executeRaw: statement(db.$executeRaw as never),
    } as never;
  }
  client(client: RelayDependencies["client"]): RelayDependencies["client"] {
    const start = (type: string, options: never) => this.run(() => client.workflow.start(type, options));
    return { workflow: { start, getHandle: client.workflow.getHandle.bind(client.workflow) } } as never;
  }
}

/** One relay from its start to its death, or until nothing is left. */
async function relayUntilDeath(mortal: Mortal): Promise<void> {
  const dependencies = { ...relay, db: mortal.database(relay.db), client: mortal.client(relay.client) };
  try {
    while ((await serveOutbox(dependencies)) > 0);
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
  }
}

/** What a dead relay had claimed comes back when its lease ends: now. */
async function relayTheRest(organizationId: string): Promise<void> {
  const left = { organizationId, doneAt: null };
  while ((await relay.db.outbox.count({ where: left })) > 0) {
    await relay.db.outbox.updateMany({ where: left, data: { availableAt: new Date(0) } });
    await serveOutbox(relay);
  }
}

test.serial("a relay killed before and after every effect loses and doubles no delivery and no mail", async (t) => {
  const worker = await stack.webhooksWorker("webhooks");
  const { db } = stack.postgres;
  for (let at = 0, survived = false; !survived; at++) {
    const first = await stack.subscriber(["credit.low"]);
    const { organizationId, receiver } = first;
    const second = await newEndpoint(db, organizationId, { url: `${receiver.url}/second`, events: ["credit.low"] });
    for (const role of ["owner", "billing"] as const) {
      await putMember(db, { organizationId, email: `${role}-${at}@example.com`, role });
    }
    const eventId = await first.emit();
    const mortal = new Mortal(at);
    await relayUntilDeath(mortal);
    survived = !mortal.dead;
    await relayTheRest(organizationId);

    const delivered = { eventId, status: "delivered" };
    await eventually(async () => (await db.delivery.count({ where: delivered })) === 2);
    t.is(await db.delivery.count({ where: { eventId } }), 2, `killed at ${at}`);
    t.deepEqual(receiver.received.map(({ path }) => path).sort(), ["/", "/second"], `killed at ${at}`);
    t.deepEqual(receiver.events(), [eventId, eventId]);
    for (const webhookId of [first.webhookId, second.id]) {
      t.is(await runs(deliverId({ eventId, webhookId })), 1, `killed at ${at}`);
    }
    const mails = await eventually(async () => {
      const own = (await stack.mails()).filter((mail) => mail.includes(`-${at}@example.com`));
      return own.length >= 2 && own;
    });
    t.is(mails.length, 2);
    if (survived) t.true(at >= 12, `only ${at} moments were tried`);
  }
  await worker.drain();
});

const runs = (id: string) =>
  eventually(async () => (await stack.temporal.client.workflow.count(`WorkflowId = '${id}'`)).count);

test.serial("a worker killed before and after every effect of an attempt: recorded once, one event id", async (t) => {
  for (let at = 0, survived = false; !survived; at++) {
    const subscriber = await stack.subscriber();
    const eventId = await subscriber.emit();
    await relayed(stack.postgres.db, eventId);
    const mortal = new Mortal(at);
    await attempt(subscriber, eventId, mortal).catch((error) => {
      if (!(error instanceof Killed)) throw error;
    });
    survived = !mortal.dead;
    t.deepEqual(await attempt(subscriber, eventId, new Mortal(Number.POSITIVE_INFINITY)), { waitMs: null });
    const rows = await subscriber.attempts(eventId);
    t.deepEqual(
      rows.map(({ attempt, status }) => [attempt, status]),
      [[1, "delivered"]],
      `killed at ${at}`,
    );
    t.deepEqual([...new Set(subscriber.receiver.events())], [eventId]);
    // Twice only when it died between the receiver's answer and its record.
    t.true(subscriber.receiver.received.length <= 2);
    if (survived) {
      t.is(subscriber.receiver.received.length, 1);
      t.is(at, 6);
    }
  }
});

async function attempt({ webhookId }: Subscriber, eventId: string, mortal: Mortal) {
  const step = attemptDelivery({
    db: mortal.database(stack.postgres.db),
    secrets: box,
    metrics: createWebhookMetrics(createRegistry("test")),
    log,
    shares: { endpoint: new Shares(1), organization: new Shares(1) },
    post: (url, options) => mortal.run(() => outboundPost(url, options)),
    network: {
      timeoutMs: 10_000,
      allowed: parseNetworks(["127.0.0.0/8"]),
      ca: [authority.cert],
      resolve: async () => ["127.0.0.1"],
    },
    now: Date.now,
  });
  return step({ webhookId, eventId });
}

test.serial(
  "a delivery whose workflow was lost gets a new one from the sweeper; one that is watched is left",
  async (t) => {
    const { db } = stack.postgres;
    const sweeper = { ...relay, transcripts: { failed: () => undefined }, now: Date.now };
    const [lost, watched, young] = [await stack.subscriber(), await stack.subscriber(), await stack.subscriber()];
    const events = [];
    for (const subscriber of [lost, watched, young]) {
      const eventId = await subscriber.emit();
      await relayTheRest(subscriber.organizationId); // no worker: each workflow waits at its first step
      events.push(eventId);
    }
    const [lostId, watchedId, youngId] = events as [string, string, string];
    for (const [subscriber, eventId] of [
      [lost, lostId],
      [young, youngId],
    ] as const) {
      await stack.temporal.client.workflow.getHandle(deliverId({ ...subscriber, eventId })).terminate();
    }
    const past = new Date(Date.now() - 11 * 60_000);
    await db.delivery.updateMany({ where: { eventId: { in: [lostId, watchedId] } }, data: { nextAttemptAt: past } });
    await sweepDeliveries(sweeper);
    t.is(await lost.workflow(lostId), "RUNNING");
    t.is(await young.workflow(youngId), "TERMINATED");
    t.is(await runs(deliverId({ ...watched, eventId: watchedId })), 1);
    const worker = await stack.webhooksWorker("webhooks");
    for (const [subscriber, eventId] of [
      [lost, lostId],
      [watched, watchedId],
    ] as const) {
      t.like((await subscriber.made(eventId, 1)).at(0), { status: "delivered" });
      t.is(subscriber.receiver.received.length, 1);
    }
    await worker.drain();
  },
);

test.serial("kill -9 of the worker in mid-attempt: another one makes it again, with the same event id", async (t) => {
  const first = await stack.process("webhooks", stack.settings);
  const subscriber = await stack.subscriber(["transcript.completed"], true);
  const reached = Promise.withResolvers<void>();
  subscriber.receiver.answer = () => reached.resolve();
  const eventId = await subscriber.emit();
  await relayTheRest(subscriber.organizationId);
  await reached.promise;
  await first.kill();
  subscriber.receiver.answer = (_, response) => response.writeHead(200).end();
  const second = await stack.process("webhooks", stack.settings);
  const rows = await subscriber.made(eventId, 1); // after the killed step's start-to-close time
  t.deepEqual(
    rows.map(({ attempt, status }) => [attempt, status]),
    [[1, "delivered"]],
  );
  t.deepEqual(subscriber.receiver.events(), [eventId, eventId]);
  t.is(await second.end(), 0);
});
