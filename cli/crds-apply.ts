import { readdir, readFile } from "node:fs/promises";
import { basename } from "node:path";
import * as z from "zod";
import { readSettings } from "../process/settings.ts";
import type { Command } from "./command.ts";

const settings = z.object({
  KUBECONFIG: z
    .string()
    .default("")
    .describe("kubeconfig file; empty means the pod's service account, or ~/.kube/config outside of a cluster."),
});

/** Where this version's definitions are: in the image as in the repository. A file has its definition's name. */
const DEFINITIONS = new URL("../charts/escriba/crds/", import.meta.url);

/** What the chart's Job runs before an upgrade: Helm installs definitions and never changes them. */
export const crdsApply: Command = {
  usage: "",
  details: "By server-side apply; safe to run at any time. Helm installs definitions and never changes them.",
  settings,
  async run(_args, environment) {
    const { KUBECONFIG } = readSettings(settings, environment);
    // Loaded here, so that --help answers at once.
    const { systemClock } = await import("../operator/clock.ts");
    const { connect, loadKubeConfig } = await import("../operator/kubernetes/connection.ts");
    const { applyDefinition } = await import("../operator/definition/apply.ts");
    const connection = connect(loadKubeConfig(KUBECONFIG), systemClock);
    try {
      for (const file of (await readdir(DEFINITIONS)).filter((name) => name.endsWith(".yaml")).sort()) {
        const name = basename(file, ".yaml");
        await applyDefinition(connection, name, await readFile(new URL(file, DEFINITIONS), "utf8"), systemClock);
        console.log(`applied ${name}`);
      }
      return 0;
    } finally {
      await connection.close();
    }
  },
};
