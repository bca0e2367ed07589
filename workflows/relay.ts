import { setTimeout as sleep } from "node:timers/promises";
import { type Client, WorkflowNotFoundError } from "@temporalio/client";
import type { Logger } from "../process/log.ts";
import type { Database } from "../storage/database.ts";
import { keys } from "../storage/keys.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import {
  claimOutbox,
  type DeletedFilePayload,
  finishOutbox,
  type OutboxRow,
  outboxBacklog,
  pruneOutbox,
  retryOutbox,
} from "../storage/outbox.ts";
import { fanOut } from "../webhooks/deliveries.ts";
import { DELIVERED_EVENTS, EVENT_NAMES, MAILED_EVENTS, MAILED_ROLES } from "../webhooks/events.ts";
import type { OutboxMetrics } from "./metrics.ts";
import { type DeletePayload, type DeliverInput, type MailInput, OUTBOX, type TranscribeInput } from "./names.ts";
import { startDeliver, startMail, startTranscribe } from "./starts.ts";

export interface RelayDependencies {
  db: Database;
  client: Client;
  store: ObjectStore;
  metrics: OutboxMetrics;
  log: Logger;
  /** Ends the wait for the next look when rows may have come. */
  alarm?: Alarm;
}

const KINDS = [...Object.values(OUTBOX), ...EVENT_NAMES];
const BATCH = 20;
/** A relay that dies under its rows gives them back after this long. */
const LEASE_MS = 30_000;
/** Longest wait between two looks at an empty outbox when nothing wakes the relay; the first looks after work come sooner. */
const IDLE_MS = 300;
const BUSY_MS = 10;
const RETRY_MS = { first: 500, most: 30_000 };
const BACKLOG_EVERY_MS = 5_000;
const PRUNE_EVERY_MS = 3_600_000;
const KEEP_MS = 24 * 3_600_000;

/**
 * Carries committed rows on: starts the workflow of a new transcript, ends that of a deleted one, turns an event into
 * what is owed to endpoints and members and starts the workflow of each. Any number of relays may run; each row is served at least once and each service is safe to repeat. Resolves when `signal`
 * aborts, after the rows in hand.
 */
export async function runRelay(dependencies: RelayDependencies, signal: AbortSignal): Promise<void> {
  const { log, alarm = new Alarm() } = dependencies;
  const backlog = every(BACKLOG_EVERY_MS, () => measure(dependencies));
  const prune = every(PRUNE_EVERY_MS, () => pruneOutbox(dependencies.db, KEEP_MS));
  let wait = BUSY_MS;
  while (!signal.aborted) {
    try {
      const served = await serveOutbox(dependencies);
      await backlog();
      await prune();
      // Full batches have more behind them; after that, waits double up to the idle one.
      wait = served === BATCH ? 0 : served > 0 ? BUSY_MS : Math.min(IDLE_MS, Math.max(BUSY_MS, wait * 2));
    } catch (error) {
      log.error({ err: error }, "the relay cannot reach its database");
      wait = 1_000;
    }
    await alarm.sleep(wait, signal);
  }
}

/** A sleep that can be ended early; a ring while nobody sleeps ends the next sleep at once. */
export class Alarm {
  #rung = false;
  #end: (() => void) | undefined;

  ring(): void {
    this.#rung = true;
    this.#end?.();
  }

  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.#rung && !signal.aborted) {
      const early = new AbortController();
      this.#end = () => early.abort();
      await sleep(ms, undefined, { signal: AbortSignal.any([signal, early.signal]) }).catch(() => undefined);
      this.#end = undefined;
    }
    this.#rung = false;
  }
}

/** One claim. Answers the number of rows claimed. */
export async function serveOutbox(dependencies: RelayDependencies): Promise<number> {
  const { db, log, metrics } = dependencies;
  const rows = await claimOutbox(db, { kinds: KINDS, limit: BATCH, leaseMs: LEASE_MS });
  const done: bigint[] = [];
  await Promise.all(
    rows.map(async (row) => {
      try {
        await serve(dependencies, row);
        done.push(row.id);
        metrics.served.inc({ kind: row.kind, outcome: "done" });
      } catch (error) {
        metrics.served.inc({ kind: row.kind, outcome: "retry" });
        log.warn(
          { kind: row.kind, transcript: row.transcriptId, attempts: row.attempts, err: error },
          "not relayed yet",
        );
        const delayMs = Math.min(RETRY_MS.most, RETRY_MS.first * 2 ** (row.attempts - 1));
        await retryOutbox(db, row.id, { delayMs, error: String(error) });
      }
    }),
  );
  if (done.length > 0) await finishOutbox(db, done);
  return rows.length;
}

async function serve({ db, client, store }: RelayDependencies, { id, kind, payload }: OutboxRow): Promise<void> {
  switch (kind) {
    case OUTBOX.start:
      return startTranscribe(client, payload as TranscribeInput, "REJECT_DUPLICATE");
    case OUTBOX.delete:
      return endTranscribe(client, store, payload as DeletePayload);
    case OUTBOX.deleteFile:
      return store.delete((payload as DeletedFilePayload).uploadKey);
    case OUTBOX.deliver:
      return startDeliver(client, payload as DeliverInput, "REJECT_DUPLICATE");
    case OUTBOX.mail:
      return startMail(client, payload as MailInput);
    default: {
      const within = (names: readonly string[]) => names.includes(kind);
      const roles = within(MAILED_EVENTS) ? MAILED_ROLES : [];
      return fanOut(db, id, { endpoints: within(DELIVERED_EVENTS), roles });
    }
  }
}

/**
 * A workflow that runs is cancelled, waits for its steps to end and removes their objects itself; without one they are
 * removed here. The upload may still be read by a step, which then fails and changes nothing.
 */
async function endTranscribe(client: Client, store: ObjectStore, payload: DeletePayload): Promise<void> {
  const { transcriptId, uploadKey } = payload;
  try {
    await client.workflow.getHandle(transcriptId).cancel();
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    await store.deletePrefix(keys.transcript(transcriptId));
  }
  if (uploadKey !== null) await store.delete(uploadKey);
}

async function measure({ db, metrics }: RelayDependencies): Promise<void> {
  for (const kind of KINDS) {
    metrics.lagSeconds.set({ kind }, 0);
    metrics.waiting.set({ kind }, 0);
  }
  for (const { kind, waiting, oldestSeconds } of await outboxBacklog(db)) {
    metrics.lagSeconds.set({ kind }, oldestSeconds);
    metrics.waiting.set({ kind }, waiting);
  }
}

function every(ms: number, work: () => Promise<unknown>): () => Promise<void> {
  let last = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() - last < ms) return;
    last = performance.now();
    await work();
  };
}
