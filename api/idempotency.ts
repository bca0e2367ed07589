import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../storage/database.ts";
import {
  beginIdempotent,
  type CreatedResource,
  freeIdempotent,
  type IdempotencyLease,
  type IdempotencyScope,
} from "../storage/idempotency.ts";
import { canonicalJson } from "./canonical-json.ts";
import { ApiError } from "./errors/api-error.ts";
import type { Answer } from "./route.ts";

/** How long a second request waits before it asks again whether the first is done. */
const FIRST_WAIT_MS = 25;
const LONGEST_WAIT_MS = 500;

export interface IdempotentRun {
  database: Database;
  scope: IdempotencyScope;
  /** JSON text of the request. */
  body: string;
  /**
   * Runs the request and finishes the lease in its own transaction; undefined when the lease was lost to another
   * request, whose answer is then waited for.
   */
  run(lease: IdempotencyLease): Promise<Answer | undefined>;
  /** Forms the original answer again from what was made. */
  replay(resource: CreatedResource): Answer;
  signal: AbortSignal;
}

/**
 * Runs once per key and body: a later request gets the first one's answer with `Idempotency-Replayed: true`, a
 * simultaneous one waits for it, and runs itself when the first fails. Throws ApiError `idempotency_key_reused`.
 */
export async function idempotently({ database, scope, body, run, replay, signal }: IdempotentRun): Promise<Answer> {
  const canonical = canonicalJson(body);
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    const begun = await beginIdempotent(database, scope, canonical);
    if (begun.outcome === "reused") throw new ApiError("idempotency_key_reused", { param: "Idempotency-Key" });
    if (begun.outcome === "replay") {
      const answer = begun.resource ? replay(begun.resource) : { status: begun.status, body: begun.body ?? "" };
      return { ...answer, headers: { ...answer.headers, "Idempotency-Replayed": "true" } };
    }
    if (begun.outcome === "started") {
      const answer = await runOrFree(database, begun.lease, run);
      if (answer) return answer;
    }
    await sleep(wait, undefined, { signal });
  }
}

/** Only a 2xx is remembered; anything else frees the key for the next request. */
async function runOrFree(database: Database, lease: IdempotencyLease, run: IdempotentRun["run"]) {
  try {
    return await run(lease);
  } catch (error) {
    // A lease that cannot be freed now ends by itself.
    await freeIdempotent(database, lease).catch(() => undefined);
    throw error;
  }
}
