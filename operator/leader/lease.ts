import type { Clock } from "../clock.ts";
import { isCode, type KubernetesApi } from "../kubernetes/api.ts";
import type { Lease } from "../kubernetes/objects.ts";
import { apiVersion, LEASES } from "../kubernetes/resources.ts";

export interface LeaseParts {
  api: KubernetesApi;
  clock: Clock;
  /** 0 to 1, for the spread of tries among replicas. */
  random: () => number;
  namespace: string;
  name: string;
  /** Unlike that of any other process, an earlier one in the same pod included. */
  identity: string;
}

/** After so long without a renewal that it saw, another process may take the lease. */
export const LEASE_MS = 15_000;
/**
 * After so long without a renewal we no longer hold it. The rest up to LEASE_MS is for a write that was begun just
 * before: its call ends within CALL_MS (kubernetes/http-api.ts).
 */
export const RENEWED_WITHIN_MS = 10_000;
const TRY_EVERY_MS = 2_000;
const RETRY_MS = 500;

/** The lease is not ours any more, or nobody can tell: this process must not write and has to end. */
export class LeaseLost extends Error {
  override name = "LeaseLost";
}

/**
 * One process of several leads: it holds a Lease object, whose times are for people. Whether it lives is judged by each
 * process' own monotonic clock, from the moment that it saw the last change; clocks need not agree.
 */
export class LeaderLease {
  readonly #parts: LeaseParts;
  #held: { lease: Lease; until: number } | undefined;
  #seen: { resourceVersion: string | undefined; at: number } | undefined;
  #looked: number;
  #known = false;

  constructor(parts: LeaseParts) {
    this.#parts = parts;
    this.#looked = parts.clock.monotonic();
  }

  get held(): boolean {
    return this.#held !== undefined && this.#parts.clock.monotonic() < this.#held.until;
  }

  /** The server has answered, ever, who holds it. */
  get known(): boolean {
    return this.#known;
  }

  /** Milliseconds since a call about the lease last ended, well or not: grows only when this loop hangs. */
  get idleFor(): number {
    return this.#parts.clock.monotonic() - this.#looked;
  }

  /** Asked before every write. Throws LeaseLost. */
  check(): void {
    if (!this.held) throw new LeaseLost("the lease has not been renewed in time");
  }

  /** Resolves when the lease is ours, or when the signal is aborted. Faults of the server are waited out. */
  async acquire(signal: AbortSignal, onFault: (error: unknown) => void): Promise<void> {
    const { clock, random } = this.#parts;
    while (!signal.aborted) {
      try {
        if (await this.#tryToTake()) return;
      } catch (error) {
        onFault(error);
      }
      await clock.sleep(TRY_EVERY_MS * (0.75 + random() / 2), signal);
    }
  }

  /** Renews until the signal is aborted. Throws LeaseLost when another process has it or renewing failed too long. */
  async keep(signal: AbortSignal, onFault: (error: unknown) => void): Promise<void> {
    const { clock } = this.#parts;
    await clock.sleep(TRY_EVERY_MS, signal);
    while (!signal.aborted) {
      this.check();
      try {
        await this.#renew();
        await clock.sleep(TRY_EVERY_MS, signal);
      } catch (error) {
        if (error instanceof LeaseLost) throw error;
        onFault(error);
        await clock.sleep(RETRY_MS, signal);
      }
    }
  }

  /** Gives it back, so that another process need not wait. Whatever goes wrong, its time ends anyway. */
  async release(): Promise<void> {
    const { lease } = this.#held ?? {};
    this.#held = undefined;
    if (!lease) return;
    const { holderIdentity: _, ...spec } = lease.spec;
    await this.#parts.api.replace(LEASES, { ...lease, spec }).catch(() => undefined);
  }

  async #tryToTake(): Promise<boolean> {
    const { api, clock, namespace, name, identity } = this.#parts;
    const lease = await this.#look();
    const from = clock.monotonic();
    const now = microTime(clock.now());
    if (!lease) {
      const created = await api.create(LEASES, {
        apiVersion: apiVersion(LEASES),
        kind: LEASES.kind,
        metadata: { name, namespace },
        spec: { ...this.#mine(), acquireTime: now, renewTime: now, leaseTransitions: 0 },
      });
      this.#hold(created, from);
      return true;
    }
    const { resourceVersion } = lease.metadata;
    if (!this.#seen || this.#seen.resourceVersion !== resourceVersion) this.#seen = { resourceVersion, at: from };
    const { holderIdentity: holder, leaseDurationSeconds, leaseTransitions = 0 } = lease.spec;
    // Ours without our knowing: a write whose answer never came.
    const free = !holder || holder === identity;
    const lasts = Math.max(LEASE_MS, (leaseDurationSeconds ?? 0) * 1000);
    if (!free && from - this.#seen.at < lasts) return false;
    const spec = { ...this.#mine(), acquireTime: now, renewTime: now, leaseTransitions: leaseTransitions + 1 };
    this.#hold(await api.replace(LEASES, { ...lease, spec }), from);
    return true;
  }

  async #renew(): Promise<void> {
    const { api, clock, identity } = this.#parts;
    let { lease } = this.#held as { lease: Lease };
    const from = clock.monotonic();
    const renewed = () => ({ ...lease, spec: { ...lease.spec, ...this.#mine(), renewTime: microTime(clock.now()) } });
    try {
      this.#hold(await api.replace(LEASES, renewed()), from);
    } catch (error) {
      if (!isCode(error, 404, 409)) throw error;
      // Somebody wrote: another process that took it, or we, in a call whose answer never came.
      const present = await this.#look();
      if (present?.spec.holderIdentity !== identity) {
        this.#held = undefined;
        throw new LeaseLost(`the lease is held by ${present?.spec.holderIdentity || "nobody"}`);
      }
      lease = present;
      this.#hold(await api.replace(LEASES, renewed()), from);
    }
  }

  async #look(): Promise<Lease | undefined> {
    const { api, clock, namespace, name } = this.#parts;
    try {
      const lease = await api.get(LEASES, namespace, name).catch((error) => {
        if (isCode(error, 404)) return undefined;
        throw error;
      });
      this.#known = true;
      return lease;
    } finally {
      this.#looked = clock.monotonic();
    }
  }

  #mine() {
    return { holderIdentity: this.#parts.identity, leaseDurationSeconds: LEASE_MS / 1000 };
  }

  /** `from` is when the call began: what others saw of it, they saw later. */
  #hold(lease: Lease, from: number): void {
    this.#looked = this.#parts.clock.monotonic();
    this.#held = { lease, until: from + RENEWED_WITHIN_MS };
  }
}

/** Kubernetes' MicroTime takes six places. */
function microTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace("Z", "000Z");
}
