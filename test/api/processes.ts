import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { addCredit } from "../../billing/credit.ts";
import { Role } from "../../embedded/role.ts";
import { createApiKey } from "../../storage/api-keys.ts";
import { createOrganization } from "../../storage/organizations.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";

/** Several `escriba api` processes over one PostgreSQL, as a deployment runs them. */
export interface Processes {
  postgres: TestPostgres;
  urls: string[];
  /** SIGKILL: nothing of it is finished. */
  kill(at: number): void;
  customer(credit: string, keys?: number): Promise<Customer>;
  stop(): Promise<void>;
}

export interface Customer {
  organizationId: string;
  keys: { id: string; plaintext: string }[];
}

export async function startProcesses(count: number, env: Record<string, string> = {}): Promise<Processes> {
  const postgres = await startTestPostgres();
  const directory = await mkdtemp(join(tmpdir(), "escriba-processes-"));
  const roles = Array.from({ length: count }, (_, at) => {
    return new Role<{ url: string }>({
      name: `api ${at}`,
      module: new URL("../../cli/escriba.ts", import.meta.url),
      args: ["api"],
      env: {
        ESCRIBA_DATABASE_URL: postgres.url,
        ESCRIBA_DATABASE_POOL: "5",
        ESCRIBA_OBJECT_STORE: pathToFileURL(join(directory, "objects")).href,
        ESCRIBA_SECRETS_KEY: Buffer.alloc(32, 7).toString("base64"),
        ESCRIBA_API_PORT: "0",
        ESCRIBA_METRICS_PORT: "0",
        ESCRIBA_SCRATCH_DIR: join(directory, `scratch-${at}`),
        ...env,
      },
      logFile: join(directory, `api-${at}.log`),
      startMs: 120_000,
      onStarted: () => undefined,
      onRestart: () => undefined,
      onFailed: () => undefined,
    });
  });
  const stop = async () => {
    await Promise.all(roles.map((role) => role.stop(20_000)));
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  };
  const urls: string[] = [];
  try {
    // One after the other: three that compile their modules at once take longer on two cores.
    for (const [at, role] of roles.entries()) {
      await mkdir(join(directory, `scratch-${at}`));
      urls.push((await role.start()).url);
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    postgres,
    urls,
    kill: (at) => roles[at]?.kill(),
    async customer(credit, keys = 1) {
      const { db } = postgres;
      const { id: organizationId } = await createOrganization(db, { slug: `org-${randomUUID().slice(0, 8)}` });
      await addCredit(db, { organizationId, amountEur: credit, reference: "test" });
      const made = await Promise.all(Array.from({ length: keys }, () => createApiKey(db, { organizationId })));
      return { organizationId, keys: made.map(({ key, plaintext }) => ({ id: key.id, plaintext })) };
    },
    stop,
  };
}
