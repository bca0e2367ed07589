import { mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { OutboundPost } from "../../storage/outbound-post.ts";
import type { EventName } from "../../webhooks/events.ts";
import { type Attempt, listAttempts } from "../../webhooks/history.ts";
import { LOOK } from "../../workflows/names.ts";
import { deliverId } from "../../workflows/starts.ts";
import type { RunningWorker } from "../../workflows/worker.ts";
import { emit, KEY, newEndpoint } from "../support/events.ts";
import { newOrganization } from "../support/organization.ts";
import { authority, type Receiver, startReceiver } from "../support/receiver.ts";
import { eventually, type Stack, startStack } from "./stack.ts";

/** A stack whose webhooks worker may reach receivers on loopback and writes mail to a directory. */
export interface WebhookStack extends Stack {
  mailDir: string;
  /** For a worker of the webhooks queue, in this process or in one of its own. */
  settings: Record<string, string>;
  /** In this process; hosts ending in `.test` are on loopback. */
  webhooksWorker(
    queues: string,
    network?: Partial<OutboundPost>,
    more?: Record<string, string>,
  ): Promise<RunningWorker>;
  /** An organization with one endpoint at a receiver of its own. */
  subscriber(events?: EventName[], local?: boolean): Promise<Subscriber>;
  mails(): Promise<string[]>;
}

export interface Subscriber {
  organizationId: string;
  webhookId: string;
  secret: string;
  receiver: Receiver;
  /** Emits an event of the organization; a relay has to carry it. */
  emit(event?: EventName): Promise<string>;
  /** Oldest first. */
  attempts(eventId: string): Promise<Attempt[]>;
  /** Resolves when so many attempts are over. */
  made(eventId: string, count: number): Promise<Attempt[]>;
  /** Brings the pending attempt's time to now, as if it had come. */
  skipWait(eventId: string): Promise<void>;
  workflow(eventId: string): Promise<string>;
}

export async function startWebhookStack(): Promise<WebhookStack> {
  const stack = await startStack();
  const mailDir = await mkdtemp(join(stack.directory, "mail-"));
  const authorityFile = join(stack.directory, "authority.pem");
  await writeFile(authorityFile, authority.cert);
  const settings = {
    ESCRIBA_SECRETS_KEY: KEY.toString("base64"),
    ESCRIBA_WEBHOOK_NETWORKS: "127.0.0.0/8",
    ESCRIBA_EXTRA_CA_FILE: authorityFile,
    ESCRIBA_MAIL_DIR: mailDir,
    ESCRIBA_MAIL_FROM: "Escriba <avisos@escriba.test>",
  };
  const receivers: Receiver[] = [];
  return {
    ...stack,
    mailDir,
    settings,
    webhooksWorker: (queues, network = {}, more = {}) => {
      const resolve = async () => ["127.0.0.1"];
      return stack.worker({ network: { resolve, ...network } }, { ...settings, ESCRIBA_QUEUES: queues, ...more });
    },
    subscriber: async (events = ["transcript.completed"], local = false) => {
      const receiver = await startReceiver();
      receivers.push(receiver);
      return subscribe(stack, receiver, events, local);
    },
    mails: async () => {
      const names = (await readdir(mailDir)).filter((name) => name.endsWith(".eml"));
      return Promise.all(names.sort().map((name) => readFile(join(mailDir, name), "utf8")));
    },
    stop: async () => {
      await stack.stop();
      await Promise.all(receivers.map((receiver) => receiver.close()));
    },
  };
}

async function subscribe(stack: Stack, receiver: Receiver, events: EventName[], local: boolean): Promise<Subscriber> {
  const { db } = stack.postgres;
  const { id: organizationId } = await newOrganization(db);
  const url = local ? receiver.localUrl : receiver.url;
  const { id: webhookId, secret } = await newEndpoint(db, organizationId, { url, events });
  const handle = (eventId: string) => stack.temporal.client.workflow.getHandle(deliverId({ eventId, webhookId }));
  const attempts = async (eventId: string) => {
    const page = await listAttempts(db, { webhookId, limit: 100 });
    return page.attempts.filter((attempt) => attempt.eventId === eventId).reverse();
  };
  return {
    organizationId,
    webhookId,
    secret,
    receiver,
    emit: (event = events[0]) => emit(db, organizationId, event),
    attempts,
    made: (eventId, count) =>
      eventually(async () => {
        const all = await attempts(eventId);
        return all.filter(({ status }) => status !== "pending").length >= count && all;
      }),
    skipWait: async (eventId) => {
      await db.$executeRaw`
        UPDATE deliveries SET next_attempt_at = clock_timestamp()
        WHERE event_id = ${eventId} AND webhook_id = ${webhookId} AND status = 'pending'`;
      await handle(eventId).signal(LOOK);
    },
    workflow: async (eventId) => (await handle(eventId).describe()).status.name,
  };
}
