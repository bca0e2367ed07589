import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../process/log.ts";
import type { Database } from "../storage/database.ts";
import {
  type Begun,
  beginIdempotent,
  type CreatedResource,
  freeIdempotent,
  IDEMPOTENCY_LEASE_MS,
  type IdempotencyLease,
  type IdempotencyScope,
  renewIdempotent,
} from "../storage/idempotency.ts";
import { canonicalJson } from "./canonical-json.ts";
import { ApiError } from "./errors/api-error.ts";
import type { Answer } from "./route.ts";

type Replay = Extract<Begun, { outcome: "replay" }>;

/** How long a second request waits before it asks again whether the first is done. */
const FIRST_WAIT_MS = 25;
const LONGEST_WAIT_MS = 500;
/** A third of the lease: two renewals may be lost. */
const RENEWAL_MS = IDEMPOTENCY_LEASE_MS / 3;

export interface IdempotentRun {
  database: Database;
  scope: IdempotencyScope;
  /** JSON text of the request. */
  body: string;
  /**
   * Runs the request and finishes the lease in its own transaction (`createTranscript`, `settleUsage`); undefined when
   * the lease was lost to another request, whose answer is then waited for. The lease is renewed meanwhile. `lost` is
   * aborted when that shows that it is lost: what runs on then is not billed. The client's own signal is not looked at
   * here: a request with a key runs on when its client has gone, so that the retry finds its answer.
   */
  run(lease: IdempotencyLease, lost: AbortSignal): Promise<Answer | undefined>;
  /** Forms the original answer again from what was made; for runs that finish without a stored body. */
  replay?(resource: CreatedResource): Answer;
  /** Aborted when the client has gone: ends the waiting for another request. */
  signal: AbortSignal;
  log: Logger;
  renewalMs?: number;
}

/**
 * Runs once per key and body: a later request gets the first one's answer with `Idempotency-Replayed: true`, a
 * simultaneous one waits for it, and runs itself when the first fails. Throws ApiError `idempotency_key_reused`.
 */
export async function idempotently(request: IdempotentRun): Promise<Answer> {
  const { database, scope, body, replay, signal } = request;
  const canonical = canonicalJson(body);
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    const begun = await beginIdempotent(database, scope, canonical);
    if (begun.outcome === "reused") throw new ApiError("idempotency_key_reused", { param: "Idempotency-Key" });
    if (begun.outcome === "replay") return replayed(begun, replay);
    if (begun.outcome === "started") {
      const answer = await runOrFree(request, begun.lease);
      if (answer) return answer;
    }
    await sleep(wait, undefined, { signal });
  }
}

function replayed({ status, body, resource }: Replay, replay: IdempotentRun["replay"]): Answer {
  const answer = resource && replay ? replay(resource) : { status, body: body ?? "" };
  return { ...answer, headers: { ...answer.headers, "Idempotency-Replayed": "true" } };
}

/** Only a 2xx is remembered; anything else frees the key for the next request. */
async function runOrFree(request: IdempotentRun, lease: IdempotencyLease) {
  const lost = new AbortController();
  const renewal = setInterval(() => void renew(request, lease, lost), request.renewalMs ?? RENEWAL_MS);
  try {
    return await request.run(lease, lost.signal);
  } catch (error) {
    // A lease that cannot be freed now ends by itself.
    await freeIdempotent(request.database, lease).catch(() => undefined);
    throw error;
  } finally {
    clearInterval(renewal);
  }
}

async function renew({ database, log }: IdempotentRun, lease: IdempotencyLease, lost: AbortController): Promise<void> {
  try {
    if (!(await renewIdempotent(database, lease))) lost.abort(new Error("the lease of the Idempotency-Key was lost"));
  } catch (error) {
    // The next one may reach the database in time; whoever settles is told by the database who holds the key.
    log.warn({ err: error }, "the lease of an Idempotency-Key was not renewed");
  }
}
