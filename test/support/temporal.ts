import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, Connection } from "@temporalio/client";
import { startTemporal } from "../../embedded/temporal.ts";
import { defaultModelsDirectory, ensure } from "../../models/ensure.ts";
import { createLog } from "../../process/log.ts";

export interface TestTemporal {
  address: string;
  client: Client;
  stop(): Promise<void>;
}

/**
 * A Temporal server of its own for one test file, with its database in a temporary directory that `stop` removes.
 * `stock`: with none of the settings that the product asks for, fairness among them.
 */
export async function startTestTemporal({ stock = false } = {}): Promise<TestTemporal> {
  const directory = await mkdtemp(join(tmpdir(), "escriba-temporal-"));
  const server = await startTemporal({
    dbFile: join(directory, "temporal.db"),
    fetchBinary: fetchTemporal,
    ...(stock && { dynamicConfig: [] }),
    log: createLog("temporal", "silent"),
  });
  const connection = await Connection.connect({ address: server.address, connectTimeout: "1m" });
  return {
    address: server.address,
    client: new Client({ connection }),
    stop: async () => {
      await connection.close();
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

export async function fetchTemporal(): Promise<string> {
  const dir = process.env.ESCRIBA_MODELS_DIR || defaultModelsDirectory(process.env);
  return join(await ensure("temporal-cli", { dir }), "temporal");
}
