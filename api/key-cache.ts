import { createHash } from "node:crypto";
import { findApiKey } from "../storage/api-keys.ts";
import type { Database } from "../storage/database.ts";
import { readOrganization } from "../storage/organizations.ts";
import { ApiError } from "./errors/api-error.ts";
import type { Principal } from "./middleware/authenticate.ts";
import { parseRanges } from "./middleware/client-address.ts";

/** A revoked key keeps working for at most this long (section 5, rule 4). */
export const KEY_CACHE_MS = 30_000;
/** Enough for every key of a busy installation; the oldest go first. */
const MAX_CACHED = 10_000;

/**
 * Authenticated keys, remembered for 30 s by their hash. Only good answers are kept: a key that was just created works
 * at once. Without the database an expired entry is an error, never a pass.
 */
export class KeyCache {
  readonly #database: Database;
  readonly #clock: () => number;
  readonly #cached = new Map<string, { until: number; found: Promise<Principal> }>();

  constructor(database: Database, clock: () => number) {
    this.#database = database;
    this.#clock = clock;
  }

  /** `key` has the form of a key. Rejects with ApiError `invalid_api_key`, `revoked_api_key`, or the database's error. */
  find(key: string): Promise<Principal> {
    // By hash, so that no key lies in memory longer than its request.
    const name = createHash("sha256").update(key).digest("base64");
    const now = this.#clock();
    const cached = this.#cached.get(name);
    if (cached && now < cached.until) return cached.found;
    const found = this.#load(key);
    // Counted from before the question, so that no answer is used when it is older than the limit.
    const entry = { until: now + KEY_CACHE_MS, found };
    this.#cached.delete(name);
    this.#cached.set(name, entry);
    if (this.#cached.size > MAX_CACHED) this.#cached.delete(this.#cached.keys().next().value as string);
    found.catch(() => {
      if (this.#cached.get(name) === entry) this.#cached.delete(name);
    });
    return found;
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
