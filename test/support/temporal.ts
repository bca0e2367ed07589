import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, Connection } from "@temporalio/client";
import { startTemporal, type TemporalOptions } from "../../embedded/temporal.ts";
import { defaultModelsDirectory, ensure } from "../../models/ensure.ts";
import { createLog } from "../../process/log.ts";

export interface TestTemporal {
  address: string;
  client: Client;
  /** What the server has said of what went wrong: JSON lines. */
  said(): string;
  stop(): Promise<void>;
}

/**
 * A Temporal server of its own for one test file, with its database in a temporary directory that `stop` removes.
 * `dynamicConfig`: none is a server as others run it; what the product asks for, fairness among it, when absent.
 */
export async function startTestTemporal(settings: Pick<TemporalOptions, "dynamicConfig"> = {}): Promise<TestTemporal> {
  const directory = await mkdtemp(join(tmpdir(), "escriba-temporal-"));
  let said = "";
  const server = await startTemporal({
    dbFile: join(directory, "temporal.db"),
    fetchBinary: fetchTemporal,
    ...settings,
    onLog: (text) => {
      said += text;
    },
    log: createLog("temporal", "silent"),
  });
  const connection = await Connection.connect({ address: server.address, connectTimeout: "1m" });
  return {
    address: server.address,
    client: new Client({ connection }),
    said: () => said,
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
