import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { addCredit } from "../../billing/credit.ts";
import { createApiKey, SCOPES } from "../../storage/api-keys.ts";
import { createOrganization } from "../../storage/organizations.ts";
import { startTestPostgres } from "../../test/support/postgres.ts";
import { startTestTemporal } from "../../test/support/temporal.ts";
import type { Route } from "./gateways.ts";
import { forkServer, type Server } from "./server.ts";

/**
 * Our API and the worker of the queue `transcripts`, each in its process, over PostgreSQL (that
 * waits for its disk) and Temporal as `npm start` runs them.
 */
export interface Escriba extends Server {
  url: string;
  key: string;
  chat: Route;
  temporal: Awaited<ReturnType<typeof startTestTemporal>>;
  /** Ends the worker and Temporal, which chat has no use for. */
  endTranscripts(): Promise<void>;
}

const COMMAND = new URL("../../cli/escriba.ts", import.meta.url);

/** `upstream` is named for both chat models; the organization has credit and a rate limit beyond what is measured. */
export async function startEscriba(upstream: string, directory: string): Promise<Escriba> {
  const [postgres, temporal] = await Promise.all([startTestPostgres({ durable: true }), startTestTemporal()]);
  const { id } = await createOrganization(postgres.db, { slug: "bench" });
  await postgres.db.organization.update({ where: { id }, data: { requestsPerMinute: 100_000_000 } });
  await addCredit(postgres.db, { organizationId: id, amountEur: "1000000", reference: "bench" });
  const { plaintext: key } = await createApiKey(postgres.db, {
    organizationId: id,
    name: "bench",
    scopes: [...SCOPES],
  });
  const env = {
    NODE_ENV: "production",
    ESCRIBA_LOG_LEVEL: "warn",
    ESCRIBA_DATABASE_URL: postgres.url,
    ESCRIBA_TEMPORAL_ADDRESS: temporal.address,
    ESCRIBA_OBJECT_STORE: pathToFileURL(join(directory, "objects")).href,
    ESCRIBA_SCRATCH_DIR: directory,
    ESCRIBA_SECRETS_KEY: randomBytes(32).toString("base64"),
    ESCRIBA_METRICS_PORT: "0",
    ESCRIBA_API_PORT: "0",
    ESCRIBA_UPSTREAMS: JSON.stringify({
      "service-llm-1-small": { url: upstream, model: "steady" },
      "service-llm-1-large": { url: upstream, model: "burst" },
    }),
  };
  const api = await forkServer<{ url: string }>("api", COMMAND, { args: ["api"], env, directory });
  const worker = await forkServer("worker", COMMAND, {
    args: ["worker", "--queues", "transcripts"],
    env: { ...env, ESCRIBA_GRACE_SECONDS: "5" },
    directory,
  });
  let ended: Promise<void> | undefined;
  const endTranscripts = () => {
    ended ??= worker.stop().then(() => temporal.stop());
    return ended;
  };
  const { url } = api.ready;
  return {
    url,
    key,
    temporal,
    chat: {
      name: "Escriba",
      url: `${url}/v1/chat/completions`,
      headers: { authorization: `Bearer ${key}` },
      models: { steady: "service-llm-1-small", burst: "service-llm-1-large" },
    },
    endTranscripts,
    stop: async () => {
      await api.stop();
      await endTranscripts();
      await postgres.stop();
    },
  };
}
