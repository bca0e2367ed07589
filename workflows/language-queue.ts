import type { Registry } from "../process/metrics.ts";
import { createUnderstandingMetrics } from "../understanding/metrics.ts";
import { barred } from "../understanding/roles/calibrated-model.ts";
import { createUpstreams } from "../upstream/clients.ts";
import { createLanguageActivities } from "./activities/language.ts";
import { TASK_QUEUES } from "./names.ts";
import { nothing, type ServedQueues, type WorkerParts } from "./served-queue.ts";

/** What is asked of language models about a transcript. The object store and the models' servers, no database. */
export async function serveLanguage({ config, log, store }: WorkerParts, registry: Registry): Promise<ServedQueues> {
  const { upstreams, model, patience, rolesCalibration } = config.language;
  if (!upstreams[model]) log.warn({ model }, "no server for this model: every module will be unavailable");
  const reason = barred(rolesCalibration, upstreams[model]?.model);
  if (rolesCalibration && reason) log.warn({ model, reason }, "the model has no vote on roles: calibrate it again");
  const clients = createUpstreams(upstreams, { log, registry });
  return {
    queues: [TASK_QUEUES.language],
    steps: createLanguageActivities({
      ...{ store, upstreams: clients, model, patience, rolesCalibration, log },
      metrics: createUnderstandingMetrics(registry),
      random: Math.random,
      now: () => performance.now(),
    }),
    workflows: false,
    check: nothing,
    stop: nothing,
    close: () => clients.close(),
  };
}
