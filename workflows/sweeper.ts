import { setTimeout as sleep } from "node:timers/promises";
import { type Client, WorkflowNotFoundError } from "@temporalio/client";
import { failTranscript } from "../billing/fail-transcript.ts";
import { readLedgerHealth } from "../billing/ledger-health.ts";
import { releaseDeadUsage } from "../billing/usage.ts";
import type { Logger } from "../process/log.ts";
import type { Database } from "../storage/database.ts";
import { pruneIdempotent } from "../storage/idempotency.ts";
import { keys } from "../storage/keys.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { type InFlight, inFlightTranscripts, readTranscriptForWork } from "../storage/transcripts.ts";
import { countEndpoints } from "../webhooks/endpoints.ts";
import { FAILURES } from "./failures.ts";
import type { OutboxMetrics } from "./metrics.ts";
import type { TranscribeInput } from "./names.ts";
import { startTranscribe } from "./starts.ts";
import { sweepDeliveries } from "./sweep-deliveries.ts";
import type { TranscriptMetrics } from "./transcript-metrics.ts";

export interface SweeperDependencies {
  db: Database;
  client: Client;
  store: ObjectStore;
  metrics: OutboxMetrics;
  /** Those that the sweeper itself ends are counted like the others. */
  transcripts: Pick<TranscriptMetrics, "failed">;
  log: Logger;
  /** Milliseconds since the epoch. */
  now: () => number;
}

export interface SweeperOptions {
  everyMs: number;
  /** Younger rows are the relay's. */
  settledMs: number;
}

export const SWEEPER_DEFAULTS: SweeperOptions = { everyMs: 60_000, settledMs: 120_000 };

const PAGE = 200;
/** Runs of one transcript's workflow after which it is not started again. */
const MAX_RUNS = 2;

/**
 * Mends what crashes and lost servers leave: in-flight rows without an open workflow are started again, then failed;
 * rows past their deadline are failed; deliveries that nobody watches get their workflow again; holds of chat and
 * embeddings calls whose process died are released; objects of transcripts that are not in flight are removed, and so
 * are idempotency keys past their window. Every repair is the same step that the workflow or the API would have done, so
 * several sweepers do no harm.
 */
export async function runSweeper(
  dependencies: SweeperDependencies,
  options: SweeperOptions,
  signal: AbortSignal,
): Promise<void> {
  // Whoever looks at a worker that has just begun should see figures, not gaps.
  await count(dependencies).catch((error) => dependencies.log.warn({ err: error }, "nothing was counted"));
  while (!signal.aborted) {
    // Spread out, so that the sweepers of several workers do not walk in step.
    await sleep(options.everyMs * (0.75 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    await sweep(dependencies, options).catch((error) =>
      dependencies.log.error({ err: error }, "the sweep was cut short"),
    );
  }
}

export async function sweep(dependencies: SweeperDependencies, { settledMs }: SweeperOptions): Promise<void> {
  // First, since they need nothing but the database: what follows asks Temporal and the object store, which may be down.
  await releaseDead(dependencies);
  await pruneIdempotent(dependencies.db);
  await count(dependencies);
  for (let after: string | null = null; ; ) {
    const page = { olderThanMs: settledMs, limit: PAGE, after };
    const rows: InFlight[] = await inFlightTranscripts(dependencies.db, page);
    for (const row of rows) await mend(dependencies, row);
    if (rows.length < PAGE) break;
    after = rows.at(-1)?.id ?? null;
  }
  await sweepDeliveries(dependencies);
  await removeOrphans(dependencies);
}

async function mend(dependencies: SweeperDependencies, row: InFlight): Promise<void> {
  const { db, client, metrics, transcripts, log, now } = dependencies;
  const late = now() - row.deadlineAt.getTime();
  // A workflow ends itself at the deadline; a minute later nobody is doing it.
  if (late > 60_000) return fail("deadline_exceeded");
  const start = row.start as TranscribeInput;
  const runs = await runsOf(client, row.id);
  if (runs.open) return;
  if (runs.closed >= MAX_RUNS) return fail("not_started");
  await startTranscribe(client, start, "ALLOW_DUPLICATE");
  metrics.swept.inc({ action: "restarted" });
  log.warn({ transcript: row.id, runs: runs.closed }, "an in-flight transcript had no workflow; started again");

  async function fail(code: "deadline_exceeded" | "not_started"): Promise<void> {
    const { outcome } = await failTranscript(db, row.id, FAILURES[code].message);
    if (outcome !== "failed") return;
    metrics.swept.inc({ action: "failed" });
    transcripts.failed(code);
    log.warn({ transcript: row.id, code }, "an in-flight transcript was failed by the sweeper");
  }
}

async function releaseDead({ db, metrics, log }: SweeperDependencies): Promise<void> {
  const calls = await releaseDeadUsage(db);
  if (calls === 0) return;
  metrics.swept.inc({ action: "released" }, calls);
  log.warn({ calls }, "holds of calls whose process died were released");
}

/** Figures of the whole service, for dashboards and alerts. */
async function count({ db, metrics, now }: SweeperDependencies): Promise<void> {
  const where = { status: { in: ["queued", "processing"] } };
  const rows = await db.transcript.groupBy({ by: ["status"], where, _count: true, _min: { createdAt: true } });
  for (const status of where.status.in) {
    const row = rows.find((one) => one.status === status);
    const since = row?._min.createdAt?.getTime();
    metrics.inFlight.set({ status }, row?._count ?? 0);
    metrics.oldestSeconds.set({ status }, since === undefined ? 0 : Math.max(0, now() - since) / 1_000);
  }
  const { unexplainedHoldsEur, organizationsWithoutCredit } = await readLedgerHealth(db);
  metrics.unexplainedHolds.set(unexplainedHoldsEur);
  metrics.withoutCredit.set(organizationsWithoutCredit);
  for (const [status, endpoints] of Object.entries(await countEndpoints(db)))
    metrics.endpoints.set({ status }, endpoints);
}

async function runsOf(client: Client, workflowId: string): Promise<{ open: boolean; closed: number }> {
  try {
    const { status } = await client.workflow.getHandle(workflowId).describe();
    if (status.name === "RUNNING") return { open: true, closed: 0 };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return { open: false, closed: 0 };
    throw error;
  }
  const { count } = await client.workflow.count(`WorkflowId = '${workflowId}'`);
  return { open: false, closed: Math.max(1, count) };
}

/** Objects of transcripts that are final or gone; a row is always committed before its first object is written. */
async function removeOrphans({ db, store, metrics, log }: SweeperDependencies): Promise<void> {
  let last = "";
  for await (const key of store.list("transcripts/")) {
    const id = key.split("/")[1];
    if (!id || id === last) continue;
    last = id;
    const row = await readTranscriptForWork(db, id);
    if (row && (row.status === "queued" || row.status === "processing")) continue;
    await store.deletePrefix(keys.transcript(id));
    metrics.swept.inc({ action: "cleaned" });
    log.info({ transcript: id }, "objects without a transcript in flight were removed");
  }
}
