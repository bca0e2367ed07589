/**
 * API keys. Only a SHA-256 is stored: a key is 190 random bits, which no slow hash would protect better.
 * Callers cache what `findApiKey` answers (a revoked key may work for up to 30 s).
 */
import { createHash } from "node:crypto";
import type { Database } from "./database.ts";
import { randomBase62 } from "./ids.ts";

export const SCOPES = [
  "transcripts:write",
  "transcripts:read",
  "files:write",
  "llm:invoke",
  "embeddings:invoke",
  "usage:read",
  "understand:write",
] as const;
export type Scope = (typeof SCOPES)[number];

/** The form of a live key; anything else is refused without asking the database. */
export const API_KEY_FORM = /^sk_live_[0-9A-Za-z]{32}$/;

export interface ApiKey {
  id: string;
  organizationId: string;
  organizationSlug: string;
  name: string;
  /** `sk_live_` and four characters, to recognise it by. */
  prefix: string;
  scopes: Scope[];
  /** Addresses or CIDR ranges; empty means any address. */
  ipAllowlist: string[];
  /** Of this key, in the sliding minute. */
  requestsPerMinute: number;
  createdAt: Date;
  revokedAt: Date | null;
}

export const hashApiKey = (plaintext: string) => createHash("sha256").update(plaintext).digest();

/** The plaintext is answered here and never again. */
export async function createApiKey(
  db: Database,
  wanted: { organizationId: string; name?: string; scopes?: readonly Scope[]; ipAllowlist?: readonly string[] },
): Promise<{ key: ApiKey; plaintext: string }> {
  const plaintext = `sk_live_${randomBase62(32)}`;
  const row = await db.apiKey.create({
    data: {
      organizationId: wanted.organizationId,
      name: wanted.name ?? "",
      hash: hashApiKey(plaintext),
      prefix: plaintext.slice(0, 12),
      scopes: [...(wanted.scopes ?? SCOPES)],
      ipAllowlist: [...(wanted.ipAllowlist ?? [])],
    },
    include: { organization: true },
  });
  return { key: present(row), plaintext };
}

/** The key of this plaintext, revoked ones included, or null. */
export async function findApiKey(db: Database, plaintext: string): Promise<ApiKey | null> {
  const row = await db.apiKey.findUnique({
    where: { hash: hashApiKey(plaintext) },
    include: { organization: true },
  });
  return row && present(row);
}

/** Answers when it was revoked (a second time keeps the first time), or null when there is no such key. */
export async function revokeApiKey(db: Database, id: string): Promise<Date | null> {
  const rows = await db.$queryRaw<{ revoked_at: Date }[]>`
    UPDATE api_keys SET revoked_at = coalesce(revoked_at, now()) WHERE id = ${id}::uuid RETURNING revoked_at`;
  return rows[0]?.revoked_at ?? null;
}

interface Row {
  id: string;
  organizationId: string;
  name: string;
  prefix: string;
  scopes: string[];
  ipAllowlist: string[];
  createdAt: Date;
  revokedAt: Date | null;
  organization: { slug: string; requestsPerMinute: number };
}

function present(row: Row): ApiKey {
  return {
    id: row.id,
    organizationId: row.organizationId,
    organizationSlug: row.organization.slug,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes as Scope[],
    ipAllowlist: row.ipAllowlist,
    requestsPerMinute: row.organization.requestsPerMinute,
    createdAt: row.createdAt,
    revokedAt: row.revokedAt,
  };
}
