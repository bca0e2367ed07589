import {
  holdUsage,
  releaseUsage,
  renewUsage,
  type SettledUsage,
  settleUsage,
  USAGE_RENEWAL_MS,
  type UsageHold,
  type UsageSettlement,
} from "../billing/usage.ts";
import type { Logger } from "../process/log.ts";
import type { Counter } from "../process/metrics.ts";
import type { Database } from "../storage/database.ts";
import { type Clock, sleep, systemClock } from "../upstream/timing.ts";
import { ApiError } from "./errors/api-error.ts";
import { isUnavailable } from "./errors/unavailable.ts";
import type { MoneyInMotion } from "./money-in-motion.ts";

/** Waits before a charge is sent again to a database that did not answer; the hold's lease outlives them. */
const SETTLE_WAITS_MS: readonly number[] = [100, 1_000, 5_000];

export interface Metering {
  database: Database;
  log: Logger;
  /** Euros that neither hold nor balance covered. */
  writtenOff: Counter;
  /** USAGE_RENEWAL_MS unless a test says otherwise. */
  renewalMs?: number;
  /** SETTLE_WAITS_MS unless a test says otherwise. */
  settleWaitsMs?: readonly number[];
  /** What those waits go by, unless a test turns it. */
  timers?: Clock;
  /** Puts statements together with those of the organization's other calls. */
  motion?: MoneyInMotion;
}

/**
 * A call paid by the token, from its hold to its end: `settle` or `release`, whichever comes first. Until then its lease
 * is renewed; a call whose process dies is released by the sweeper.
 */
export class MeteredCall {
  readonly #id: string;
  readonly #organizationId: string;
  readonly #metering: Metering;
  readonly #renewal: NodeJS.Timeout;

  private constructor({ id, organizationId }: UsageHold, metering: Metering) {
    this.#id = id;
    this.#organizationId = organizationId;
    this.#metering = metering;
    this.#renewal = setInterval(() => void this.#renew(), metering.renewalMs ?? USAGE_RENEWAL_MS);
  }

  /** Credit, the last of the checks. Throws ApiError `insufficient_credit`: nothing is held then. */
  static async hold(metering: Metering, hold: UsageHold): Promise<MeteredCall> {
    const { database, motion } = metering;
    const held = await (motion ? motion.hold(hold) : holdUsage(database, hold));
    if (held.outcome === "insufficient_credit") throw new ApiError("insufficient_credit");
    if (held.outcome === "organization_not_found") throw new ApiError("invalid_api_key");
    return new MeteredCall(hold, metering);
  }

  /**
   * Charges what was used; with an Idempotency-Key, its answer is stored in the same transaction. Tried again while the
   * database does not answer: the charge may have been made, and its answer lost. Rejects when it stays away.
   */
  settle(used: Omit<UsageSettlement, "id">): Promise<SettledUsage["outcome"]> {
    const { database } = this.#metering;
    return this.#settle(() => settleUsage(database, { id: this.#id, ...used }));
  }

  /** The same for a charge that nobody waits for: it may go with others, a moment later. */
  settleLater(used: Omit<UsageSettlement, "id" | "idempotency">): Promise<SettledUsage["outcome"]> {
    const { motion } = this.#metering;
    if (!motion) return this.settle(used);
    return this.#settle(() => motion.settle(this.#organizationId, { id: this.#id, ...used }));
  }

  async #settle(charge: () => Promise<SettledUsage>): Promise<SettledUsage["outcome"]> {
    const { log, writtenOff } = this.#metering;
    clearInterval(this.#renewal);
    const settled = await this.#insist(charge);
    if (settled.outcome === "settled") writtenOff.inc(Number(settled.writtenOffEur));
    // Its lease had ended, after minutes without the database: the caller has the work for nothing.
    if (settled.outcome === "released") log.warn({ usage_id: this.#id }, "a call was answered after its hold had gone");
    return settled.outcome;
  }

  async #insist(charge: () => Promise<SettledUsage>): Promise<SettledUsage> {
    const { settleWaitsMs = SETTLE_WAITS_MS, timers = systemClock } = this.#metering;
    for (const wait of settleWaitsMs) {
      try {
        return await charge();
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        await sleep(timers, wait);
      }
    }
    return charge();
  }

  /** The call failed, or nobody waits for it any more: not billed. Never rejects: the sweeper releases what is left. */
  async release(): Promise<void> {
    clearInterval(this.#renewal);
    try {
      await releaseUsage(this.#metering.database, this.#id);
    } catch (error) {
      this.#metering.log.warn({ err: error, usage_id: this.#id }, "a hold was left to the sweeper");
    }
  }

  async #renew(): Promise<void> {
    try {
      if (!(await renewUsage(this.#metering.database, this.#id))) clearInterval(this.#renewal);
    } catch (error) {
      this.#metering.log.warn({ err: error, usage_id: this.#id }, "the lease of a hold was not renewed");
    }
  }
}
