/**
 * Idempotency keys, 24 hours, scoped by organization and route. The first request runs under a lease; a second with the
 * same body waits for it (the API asks `beginIdempotent` again), and runs itself when the first failed or died.
 *
 *     begin → started      run; renew every 20 s; then finish (2xx) or free (anything else)
 *           → running      ask again in a moment
 *           → replay       answer it with Idempotency-Replayed: true
 *           → reused       409 idempotency_key_reused
 *
 * `create_transcript` and `settle_usage` finish the key in their own transaction: the first leaves a `resource`, from
 * which the answer is formed again, the second the answer's `body`.
 */
import { createHash, randomUUID } from "node:crypto";
import type { Database } from "./database.ts";

export const IDEMPOTENCY_LEASE_MS = 60_000;
export const IDEMPOTENCY_WINDOW_MS = 24 * 3_600_000;

export interface IdempotencyScope {
  organizationId: string;
  /** Method and path pattern, e.g. `POST /v1/transcripts`. */
  route: string;
  key: string;
}

/** What the runner of a request holds. */
export interface IdempotencyLease extends IdempotencyScope {
  token: string;
}

/** What `create_transcript` made: its answer without the outcome. */
export interface CreatedResource {
  id: string;
  created_at: string;
  assumed_ms: number;
  estimated_eur: string;
}

export type Begun =
  | { outcome: "started"; lease: IdempotencyLease }
  | { outcome: "running" }
  | { outcome: "reused" }
  | { outcome: "replay"; status: number; body: string | null; resource: CreatedResource | null };

/** `body` is the canonical JSON of the request, so that two spellings of one request are the same. */
export async function beginIdempotent(db: Database, scope: IdempotencyScope, body: string): Promise<Begun> {
  const { organizationId, route, key } = scope;
  const token = randomUUID();
  const hash = createHash("sha256").update(body).digest();
  const lease = IDEMPOTENCY_LEASE_MS / 1000;
  const window = IDEMPOTENCY_WINDOW_MS / 1000;
  for (;;) {
    // Takes the key when it is new, past its window, or its runner is dead.
    const taken = await db.$executeRaw`
      INSERT INTO idempotency_keys AS i (organization_id, route, key, body_hash, token, leased_until, expires_at)
      VALUES (${organizationId}::uuid, ${route}, ${key}, ${hash}, ${token}::uuid,
        clock_timestamp() + make_interval(secs => ${lease}::double precision),
        clock_timestamp() + make_interval(secs => ${window}::double precision))
      ON CONFLICT (organization_id, route, key) DO UPDATE SET body_hash = excluded.body_hash, token = excluded.token,
        state = 'running', leased_until = excluded.leased_until, expires_at = excluded.expires_at,
        created_at = excluded.created_at, response_status = NULL, response_body = NULL, resource = NULL
      WHERE i.expires_at <= clock_timestamp() OR (i.state = 'running' AND i.leased_until <= clock_timestamp())`;
    if (taken) return { outcome: "started", lease: { ...scope, token } };

    const row = await db.idempotencyKey.findUnique({
      where: { organizationId_route_key: { organizationId, route, key } },
    });
    if (!row) continue; // Freed in between: it is ours to take.
    if (!hash.equals(row.bodyHash)) return { outcome: "reused" };
    if (row.state === "running") return { outcome: "running" };
    return {
      outcome: "replay",
      status: row.responseStatus ?? 200,
      body: row.responseBody,
      resource: row.resource as CreatedResource | null,
    };
  }
}

/** False when another request took the key over meanwhile. */
export async function renewIdempotent(db: Database, lease: IdempotencyLease): Promise<boolean> {
  const seconds = IDEMPOTENCY_LEASE_MS / 1000;
  const renewed = await db.$executeRaw`
    UPDATE idempotency_keys SET leased_until = clock_timestamp() + make_interval(secs => ${seconds}::double precision)
    WHERE organization_id = ${lease.organizationId}::uuid AND route = ${lease.route} AND key = ${lease.key}
      AND token = ${lease.token}::uuid AND state = 'running'`;
  return renewed > 0;
}

/** Stores a 2xx answer. False when the lease was lost. */
export async function finishIdempotent(
  db: Database,
  lease: IdempotencyLease,
  response: { status: number; body: string },
): Promise<boolean> {
  const finished = await db.$executeRaw`
    UPDATE idempotency_keys SET state = 'done', response_status = ${response.status}, response_body = ${response.body}
    WHERE organization_id = ${lease.organizationId}::uuid AND route = ${lease.route} AND key = ${lease.key}
      AND token = ${lease.token}::uuid AND state = 'running'`;
  return finished > 0;
}

/** After any answer that is not 2xx. A key that is done already stays. */
export async function freeIdempotent(db: Database, lease: IdempotencyLease): Promise<void> {
  await db.$executeRaw`
    DELETE FROM idempotency_keys
    WHERE organization_id = ${lease.organizationId}::uuid AND route = ${lease.route} AND key = ${lease.key}
      AND token = ${lease.token}::uuid AND state = 'running'`;
}

/** Removes keys past their window. */
export async function pruneIdempotent(db: Database): Promise<number> {
  return db.$executeRaw`DELETE FROM idempotency_keys WHERE expires_at < now()`;
}
