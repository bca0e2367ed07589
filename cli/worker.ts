import { parseArgs } from "node:util";
import { schema, WORKER_QUEUES } from "../workflows/config.ts";
import type { Command } from "./command.ts";
import { runRole } from "./role.ts";

export const worker: Command = {
  usage: "[--queues NAME[,NAME…]]",
  details: `--queues is the same as ESCRIBA_QUEUES and wins over it: ${WORKER_QUEUES.join(", ")}; or all.`,
  settings: schema,
  async run(args, environment) {
    const { values } = parseArgs({ args, options: { queues: { type: "string" } } });
    const queues = values.queues ?? environment.ESCRIBA_QUEUES;
    return runRole(async () => {
      // Loaded here, so that --help answers at once.
      const { startWorkerRole } = await import("../workflows/main.ts");
      return startWorkerRole({ ...environment, ESCRIBA_QUEUES: queues });
    });
  },
};
