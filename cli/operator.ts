import { schema } from "../operator/config.ts";
import type { Command } from "./command.ts";
import { runRole } from "./role.ts";

export const operator: Command = {
  usage: "",
  details: "Needs rights on WorkerPools, pods, events, the Lease and the token secrets: the chart's Role has them.",
  settings: schema,
  run: (_args, environment) =>
    runRole(async () => {
      // Loaded here, so that --help answers at once.
      const { startOperatorRole } = await import("../operator/main.ts");
      return startOperatorRole(environment);
    }),
};
