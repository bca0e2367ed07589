import { createHmac } from "node:crypto";
import { behindToken } from "../process/bearer.ts";
import type { Routes } from "../process/metrics.ts";
import type { Database } from "../storage/database.ts";
import { type Demand, readDemand } from "../storage/demand.ts";

/** What the operator reads. New fields may come, none goes while `version` is 1. */
export interface DemandAnswer {
  version: 1;
  /** ISO 8601; not later than the moment of what is told. */
  observedAt: string;
  organizations: {
    /** Tells organizations apart and one again, and tells nobody which it is. */
    id: string;
    queues: Record<string, { outstandingChunks: number; outstandingSeconds: number; waitingSince: string | null }>;
    speechSlots: number;
  }[];
}

export interface DemandParts {
  database: Database;
  /** The operator's token; empty: there is no such route. */
  token: string;
  /** Key of the organizations' hashes, the same in every replica. */
  key: Buffer;
  /** Epoch milliseconds. */
  now: () => number;
}

/** `GET /internal/demand` of the metrics listener, which clients do not reach. */
export function demandRoutes({ database, token, key, now }: DemandParts): Routes {
  if (token === "") return {};
  // One question at a time: whoever asks meanwhile gets the same answer, of a moment ago.
  let asked: Promise<DemandAnswer> | undefined;
  const ask = async () => {
    const observedAt = new Date(now()).toISOString();
    return { version: 1 as const, observedAt, organizations: present(await readDemand(database), key) };
  };
  return behindToken(token, {
    "/internal/demand": {
      GET: async () => {
        asked ??= ask().finally(() => {
          asked = undefined;
        });
        return { status: 200, body: await asked };
      },
    },
  });
}

function present(rows: readonly Demand[], key: Buffer): DemandAnswer["organizations"] {
  const organizations = new Map<string, DemandAnswer["organizations"][number]>();
  for (const { organizationId, speechSlots, queue, outstandingChunks, outstandingMs, waitingSince } of rows) {
    const own = organizations.get(organizationId) ?? { id: hashed(organizationId, key), queues: {}, speechSlots };
    own.queues[queue] = {
      outstandingChunks,
      outstandingSeconds: outstandingMs / 1000,
      waitingSince: waitingSince?.toISOString() ?? null,
    };
    organizations.set(organizationId, own);
  }
  return [...organizations.values()];
}

/** Keyed, so that a list of ids is of no use to whoever sees a decision log. */
function hashed(organizationId: string, key: Buffer): string {
  return createHmac("sha256", key).update(`demand:${organizationId}`).digest("hex").slice(0, 32);
}
