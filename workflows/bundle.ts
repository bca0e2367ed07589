import { fileURLToPath } from "node:url";
import { bundleWorkflowCode, type WorkflowBundleOption } from "@temporalio/worker";
import type { Logger } from "../process/log.ts";

/** The workflow code as the SDK runs it: prebuilt at `path` (in an image), or built now, in about a second. */
export async function workflowBundle(path: string | null, log: Logger): Promise<WorkflowBundleOption> {
  if (path !== null) return { codePath: path };
  const quiet = () => undefined;
  const error = (message: string) => log.error(message);
  return bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL("./workflows.ts", import.meta.url)),
    logger: { log: quiet, trace: quiet, debug: quiet, info: quiet, warn: quiet, error },
  });
}
