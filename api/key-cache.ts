import { hash } from "node:crypto";
import { findApiKey } from "../storage/api-keys.ts";
import type { Database } from "../storage/database.ts";
import { readOrganization } from "../storage/organizations.ts";
import { ApiError } from "./errors/api-error.ts";
import type { Principal } from "./middleware/authenticate.ts";
import { parseRanges } from "./middleware/client-address.ts";

/** A revoked key keeps working for at most this long (section 5, rule 4). */
export const KEY_CACHE_MS = 30_000;
/**
 * A key that was refused is refused again for this long without asking the database. Nobody can send a key before it is
 * made (190 random bits), so none is kept out by it.
 */
export const REFUSED_CACHE_MS = 10_000;
/** Of each kind; enough for every key of a busy installation. The oldest go first. */
const MAX_CACHED = 10_000;

/**
 * Authenticated keys, remembered for 30 s by their hash, and refused ones for less. The two are kept apart, as are the
 * questions under way, so that a flood of invented keys drives no good one out. Without the database an expired entry
 * is an error, never a pass; nothing is remembered of an error.
 */
export class KeyCache {
  readonly #database: Database;
  readonly #clock: () => number;
  readonly #good: Remembered<Principal>;
  readonly #refused: Remembered<ApiError>;
  readonly #asking = new Map<string, Promise<Principal>>();

  constructor(database: Database, clock: () => number, max = MAX_CACHED) {
    this.#database = database;
    this.#clock = clock;
    this.#good = new Remembered(max);
    this.#refused = new Remembered(max);
  }

  /**
   * `key` has the form of a key. A known one is answered at once. Throws or rejects with ApiError `invalid_api_key`,
   * `revoked_api_key`, or the database's error.
   */
  find(key: string): Principal | Promise<Principal> {
    // By hash, so that no key lies in memory longer than its request.
    const name = hash("sha256", key, "base64");
    const now = this.#clock();
    const good = this.#good.get(name, now);
    if (good) return good;
    const refused = this.#refused.get(name, now);
    // Made anew: an error's stack is the request's.
    if (refused) throw new ApiError(refused.code);
    const asked = this.#asking.get(name) ?? this.#ask(name, key, now);
    this.#asking.set(name, asked);
    return asked;
  }

  /** Counted from before the question, so that no answer is used when it is older than the limit. */
  async #ask(name: string, key: string, now: number): Promise<Principal> {
    try {
      const found = await this.#load(key);
      this.#good.set(name, found, now + KEY_CACHE_MS);
      return found;
    } catch (error) {
      if (error instanceof ApiError) this.#refused.set(name, error, now + REFUSED_CACHE_MS);
      throw error;
    } finally {
      this.#asking.delete(name);
    }
  }

  async #load(plaintext: string): Promise<Principal> {
    const key = await findApiKey(this.#database, plaintext);
    if (!key) throw new ApiError("invalid_api_key");
    if (key.revokedAt) throw new ApiError("revoked_api_key");
    const organization = await readOrganization(this.#database, key.organizationId);
    if (!organization) throw new ApiError("invalid_api_key");
    return {
      keyId: key.id,
      organizationId: organization.id,
      organizationSlug: organization.slug,
      defaultRetention: organization.defaultRetention,
      scopes: new Set(key.scopes),
      allowedAddresses: parseRanges(key.ipAllowlist),
      requestsPerMinute: organization.requestsPerMinute,
    };
  }
}

/** The last `max` values that were set, each until its time. */
class Remembered<T> {
  readonly #max: number;
  readonly #entries = new Map<string, { value: T; until: number }>();

  constructor(max: number) {
    this.#max = max;
  }

  get(name: string, now: number): T | undefined {
    const entry = this.#entries.get(name);
    return entry && now < entry.until ? entry.value : undefined;
  }

  set(name: string, value: T, until: number): void {
    this.#entries.delete(name);
    this.#entries.set(name, { value, until });
    if (this.#entries.size > this.#max) this.#entries.delete(this.#entries.keys().next().value as string);
  }
}
