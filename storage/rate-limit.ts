/**
 * Requests a minute, per key, over all replicas. PostgreSQL keeps the sliding minute (`take_permits`); this process
 * leases small blocks of permits so that a busy key does not cost a statement a request.
 *
 * A block is no larger than what this process used in the last second, and at most an eighth of what remains; unused
 * permits are given back with the next question. A refusal is only ever said by PostgreSQL. When it does not answer,
 * `take` rejects: that is a 503, never an unlimited key.
 */
import { randomUUID } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Database } from "./database.ts";

/** How long the permits of a block may be used; they count until 60 s after that. */
const LEASE_MS = 1_000;

export interface RateDecision {
  allowed: boolean;
  limit: number;
  /** Permits left in the minute, as far as this process knows. */
  remaining: number;
  /** 0 while allowed, else whole seconds, at least 1. */
  retryAfterSeconds: number;
}

export interface RateLimiter {
  /** At once where a block has a permit left, else when PostgreSQL has answered. */
  take(keyId: string, limit: number): RateDecision | Promise<RateDecision>;
}

interface KeyState {
  lease: string | null;
  /** Permits of the lease not used yet. */
  left: number;
  used: number;
  /** Until when, by `now`, the lease may be used. */
  leaseEnds: number;
  remaining: number;
  /** Requests seen in the current second and in the one before: what the next block is sized by. */
  second: number;
  seen: number;
  seenBefore: number;
  /** Questions to PostgreSQL of one key follow each other. */
  asking: Promise<void>;
}

/** `now` is a monotonic clock in milliseconds. */
export function createRateLimiter(db: Database, now: () => number = () => performance.now()): RateLimiter {
  const states = new Map<string, KeyState>();
  let forgotten = now();

  return {
    take(keyId, limit) {
      let state = states.get(keyId);
      if (!state) {
        state = newState();
        states.set(keyId, state);
      }
      const time = now();
      count(state, time);
      return fromLease(state, limit, time) ?? inTurn(state, keyId, limit);
    },
  };

  async function inTurn(state: KeyState, keyId: string, limit: number): Promise<RateDecision> {
    // A question before ours may have brought a block with a permit to spare.
    const mine = state.asking.then(() => fromLease(state, limit, now()) ?? ask(state, keyId, limit));
    state.asking = mine.then(
      () => undefined,
      () => undefined,
    );
    const decision = await mine;
    if (now() - forgotten > 60_000) {
      forgotten = now();
      forgetIdle(states, forgotten);
    }
    return decision;
  }

  async function ask(state: KeyState, keyId: string, limit: number): Promise<RateDecision> {
    // Requests that came in the same turn of the event loop, as after a rest, are counted first: one question for all.
    await nextTurn();
    const lease = randomUUID();
    const wanted = Math.max(1, state.seen, state.seenBefore);
    // Before the statement, so that the lease ends here no later than PostgreSQL counts it.
    const leaseEnds = now() + LEASE_MS;
    const { lease: former, used } = state;
    state.lease = null;
    state.left = 0;
    const [row] = await db.$queryRaw<{ answer: { granted: number; remaining: number; retry_ms: number } }[]>`
      SELECT take_permits(${keyId}::uuid, ${limit}::integer, ${wanted}::integer, ${lease}::uuid, ${LEASE_MS}::integer,
        ${former}::uuid, ${used}::integer) AS answer, set_config('synchronous_commit', 'off', true)`;
    if (!row) throw new Error("take_permits answered nothing");
    const { granted, remaining, retry_ms } = row.answer;
    state.remaining = remaining;
    if (granted === 0) {
      const retryAfterSeconds = Math.max(1, Math.ceil(retry_ms / 1000));
      return { allowed: false, limit, remaining: 0, retryAfterSeconds };
    }
    // One of the block is this request's own.
    Object.assign(state, { lease, left: granted - 1, used: 1, leaseEnds });
    return { allowed: true, limit, remaining: remaining + granted - 1, retryAfterSeconds: 0 };
  }
}

function newState(): KeyState {
  return {
    ...{ lease: null, left: 0, used: 0, leaseEnds: 0, remaining: 0 },
    ...{ second: 0, seen: 0, seenBefore: 0, asking: Promise.resolve() },
  };
}

function fromLease(state: KeyState, limit: number, now: number): RateDecision | null {
  if (state.left === 0 || now >= state.leaseEnds) return null;
  state.left -= 1;
  state.used += 1;
  return { allowed: true, limit, remaining: state.remaining + state.left, retryAfterSeconds: 0 };
}

function count(state: KeyState, now: number): void {
  const second = Math.floor(now / 1000);
  if (second !== state.second) {
    state.seenBefore = second === state.second + 1 ? state.seen : 0;
    state.seen = 0;
    state.second = second;
  }
  state.seen += 1;
}

function forgetIdle(states: Map<string, KeyState>, now: number): void {
  for (const [key, state] of states) if (state.leaseEnds + 60_000 < now) states.delete(key);
}
