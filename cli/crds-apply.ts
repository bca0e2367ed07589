import { readdir, readFile } from "node:fs/promises";
import type { V1CustomResourceDefinition } from "@kubernetes/client-node";
import * as z from "zod";
import { readSettings } from "../process/settings.ts";
import type { Command } from "./command.ts";

const settings = z.object({
  KUBECONFIG: z
    .string()
    .default("")
    .describe("kubeconfig file; empty means the pod's service account, or ~/.kube/config outside of a cluster."),
});

/** Where this version's definitions are: in the image as in the repository. */
const DEFINITIONS = new URL("../charts/escriba/crds/", import.meta.url);

/** What the chart's Job runs before an upgrade: Helm installs definitions and never changes them. */
export const crdsApply: Command = {
  usage: "",
  details: "By server-side apply; safe to run at any time. Helm installs definitions and never changes them.",
  settings,
  async run(_args, environment) {
    const { KUBECONFIG } = readSettings(settings, environment);
    // Loaded here, so that --help answers at once.
    const { KubeConfig, loadYaml } = await import("@kubernetes/client-node");
    const { applyDefinition } = await import("../operator/definition/apply.ts");
    const config = new KubeConfig();
    if (KUBECONFIG) config.loadFromFile(KUBECONFIG);
    else config.loadFromDefault();
    for (const file of (await readdir(DEFINITIONS)).filter((name) => name.endsWith(".yaml")).sort()) {
      const definition = loadYaml<V1CustomResourceDefinition>(await readFile(new URL(file, DEFINITIONS), "utf8"));
      await applyDefinition(config, definition);
      console.log(`applied ${definition.metadata?.name}`);
    }
    return 0;
  },
};
