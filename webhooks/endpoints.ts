/** Endpoints of an organization. What is pending for one that is disabled or deleted ends in the same statement. */

import type { Database } from "../storage/database.ts";
import { newWebhookId } from "../storage/ids.ts";
import type { EventName } from "./events.ts";
import { newWebhookSecret, type SecretBox } from "./secrets.ts";

/** Not deleted ones, disabled ones among them. */
export const MAX_ENDPOINTS = 20;

export interface Endpoint {
  id: string;
  url: string;
  events: EventName[];
  status: "enabled" | "disabled";
  /** The highest failed retry number since the last success. */
  consecutiveFailures: number;
  createdAt: Date;
  disabledAt: Date | null;
}

/** The secret is answered here and never again. */
export async function createEndpoint(
  db: Database,
  box: SecretBox,
  wanted: { organizationId: string; url: string; events: readonly EventName[] },
): Promise<{ outcome: "created"; endpoint: Endpoint; secret: string } | { outcome: "limit" }> {
  const id = newWebhookId();
  const secret = newWebhookSecret();
  const { organizationId, url, events } = wanted;
  const [row] = await db.$queryRaw<{ answer: { outcome: string } }[]>`
    SELECT create_webhook(${organizationId}::uuid, ${id}, ${url}, ${[...events]}, ${box.seal(secret, id)}::bytea,
      ${MAX_ENDPOINTS}::integer) AS answer`;
  if (row?.answer.outcome === "limit") return { outcome: "limit" };
  const endpoint = await readEndpoint(db, organizationId, id);
  if (!endpoint) throw new Error(`webhook not created: ${row?.answer.outcome}`);
  return { outcome: "created", endpoint, secret };
}

const shown = {
  id: true,
  url: true,
  events: true,
  status: true,
  consecutiveFailures: true,
  createdAt: true,
  disabledAt: true,
} as const;

export async function readEndpoint(db: Database, organizationId: string, id: string): Promise<Endpoint | null> {
  const row = await db.webhook.findFirst({ where: { id, organizationId, deletedAt: null }, select: shown });
  return row as Endpoint | null;
}

/** Newest first. */
export async function listEndpoints(db: Database, organizationId: string): Promise<Endpoint[]> {
  const where = { organizationId, deletedAt: null };
  const rows = await db.webhook.findMany({ where, select: shown, orderBy: [{ createdAt: "desc" }, { id: "desc" }] });
  return rows as Endpoint[];
}

/** Takes events from now on, its failures forgotten; what ended while it was disabled stays ended. Null: there is none. */
export async function enableEndpoint(db: Database, organizationId: string, id: string): Promise<Endpoint | null> {
  const rows = await db.webhook.updateManyAndReturn({
    where: { id, organizationId, deletedAt: null },
    data: { status: "enabled", disabledAt: null, consecutiveFailures: 0 },
    select: shown,
  });
  return (rows[0] as Endpoint | undefined) ?? null;
}

/** False: there is none, or not any more. */
export async function deleteEndpoint(db: Database, organizationId: string, id: string): Promise<boolean> {
  const [row] = await db.$queryRaw<{ deleted: boolean }[]>`
    SELECT delete_webhook(${organizationId}::uuid, ${id}) AS deleted`;
  return row?.deleted ?? false;
}

/** Seals with the first key what an older one sealed. Answers how many secrets, and how many no key opens. */
export async function rotateSecrets(db: Database, box: SecretBox): Promise<{ rotated: number; unreadable: string[] }> {
  const unreadable: string[] = [];
  let rotated = 0;
  const rows = await db.webhook.findMany({ where: { deletedAt: null }, select: { id: true, secret: true } });
  for (const { id, secret } of rows) {
    if (box.isCurrent(secret)) continue;
    try {
      const sealed = box.seal(box.open(secret, id), id);
      // A secret that was rotated or erased meanwhile is left as it is.
      const { count } = await db.webhook.updateMany({
        where: { id, deletedAt: null, secret },
        data: { secret: new Uint8Array(sealed) },
      });
      rotated += count;
    } catch {
      unreadable.push(id);
    }
  }
  return { rotated, unreadable };
}

/** Of all organizations. */
export async function countEndpoints(db: Database): Promise<Record<Endpoint["status"], number>> {
  const rows = await db.webhook.groupBy({ by: ["status"], where: { deletedAt: null }, _count: true });
  const of = (status: Endpoint["status"]) => rows.find((row) => row.status === status)?._count ?? 0;
  return { enabled: of("enabled"), disabled: of("disabled") };
}
