import { setMaxListeners } from "node:events";
import type { Logger } from "../process/log.ts";
import { Counter, type Registry } from "../process/metrics.ts";
import { createTracer, type Tracer } from "../process/tracing/tracer.ts";
import type { Database } from "../storage/database.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { createRateLimiter, type RateLimiter } from "../storage/rate-limit.ts";
import { createSchemaCheck } from "../storage/schema-check.ts";
import { createUpstreams, type UpstreamClients, type UpstreamParts } from "../upstream/clients.ts";
import { type Clock, systemClock } from "../upstream/timing.ts";
import { createSecretBox, type SecretBox } from "../webhooks/secrets.ts";
import type { Settings } from "./config.ts";
import { KeyCache } from "./key-cache.ts";
import { parseRanges, type Range } from "./middleware/client-address.ts";
import { MoneyInMotion } from "./money-in-motion.ts";
import { type ChatMetrics, createChatMetrics } from "./routes/chat/metrics.ts";
import { Slots } from "./slots.ts";

/** Everything a step or a handler may need; made once, handed to all, reached by no other way. */
export interface Services {
  settings: Settings;
  log: Logger;
  registry: Registry;
  /** Absent where no collector is set. */
  tracer: Tracer | undefined;
  database: Database;
  objects: ObjectStore;
  keys: KeyCache;
  rateLimiter: RateLimiter;
  trustedProxies: readonly Range[];
  /** A probe is a process of its own with up to 120 MB. */
  probes: Slots;
  uploadedBytes: Counter;
  /** Euros of chat and embeddings that neither hold nor balance covered. */
  writtenOff: Counter;
  /** Seals the secrets of webhooks. */
  secrets: SecretBox;
  /** Servers of chat and embeddings, by model id. */
  upstreams: UpstreamClients;
  /** What waits for other than a database go by; the upstreams' clients too. */
  timers: Clock;
  motion: MoneyInMotion;
  chat: ChatMetrics;
  /** Aborted when the process ends with answers still running: they are ended by us, and not billed. */
  closing: AbortSignal;
  /** Rejects when a request could not be served now; the message is for operators. */
  ready(): Promise<void>;
  /** Not ready from now on. */
  drain(): void;
  /** Aborts `closing`. */
  end(): void;
}

export interface ApiParts {
  database: Database;
  objects: ObjectStore;
  log: Logger;
  /** Epoch milliseconds; only the key cache goes by it, rows are dated by the database. */
  clock?: () => number;
  /** Clock, random and timing of the upstreams' clients. */
  upstream?: Partial<Pick<UpstreamParts, "clock" | "random" | "timing">>;
}

export function createServices(settings: Settings, registry: Registry, parts: ApiParts): Services {
  const { database, objects, log } = parts;
  const timers = parts.upstream?.clock ?? systemClock;
  const closing = new AbortController();
  // Every stream that runs listens.
  setMaxListeners(0, closing.signal);
  let draining = false;
  const checkTables = createSchemaCheck(database);
  return {
    settings,
    log,
    registry,
    tracer: createTracer(settings, { service: "escriba-api", log, registry }),
    database,
    objects,
    keys: new KeyCache(database, parts.clock ?? Date.now),
    rateLimiter: createRateLimiter(database),
    trustedProxies: parseRanges(settings.ESCRIBA_TRUSTED_PROXIES),
    probes: new Slots(settings.ESCRIBA_PROBES),
    uploadedBytes: new Counter({
      name: "escriba_uploaded_bytes_total",
      help: "Bytes of files accepted.",
      registers: [registry],
    }),
    writtenOff: new Counter({
      name: "escriba_written_off_eur_total",
      help: "Euros of used tokens that neither the hold nor the balance covered.",
      registers: [registry],
    }),
    upstreams: createUpstreams(settings.ESCRIBA_UPSTREAMS, { log, registry, ...parts.upstream }),
    timers,
    motion: new MoneyInMotion(database, timers),
    chat: createChatMetrics(registry),
    closing: closing.signal,
    secrets: createSecretBox(settings.ESCRIBA_SECRETS_KEY),
    async ready() {
      if (draining) throw new Error("draining");
      await Promise.all([named("database", checkTables()), named("object store", objects.check())]);
    },
    drain() {
      draining = true;
    },
    end() {
      closing.abort(new Error("the process is ending"));
    },
  };
}

async function named(part: string, check: Promise<void>): Promise<void> {
  try {
    await check;
  } catch (error) {
    throw new Error(`${part}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
