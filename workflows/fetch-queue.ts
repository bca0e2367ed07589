import { trustedCertificates } from "../storage/certificates.ts";
import { outboundFetch } from "../storage/outbound-fetch.ts";
import { createFetchActivities } from "./activities/fetch.ts";
import { TASK_QUEUES } from "./names.ts";
import { nothing, type ServedQueues, type WorkerParts } from "./served-queue.ts";

/** The only queue whose workers reach the internet. */
export async function serveFetch({ config, store }: WorkerParts): Promise<ServedQueues> {
  const ca = await trustedCertificates(config.extraCaFile);
  return {
    queues: [TASK_QUEUES.fetch],
    steps: createFetchActivities({ store, outboundFetch, allowed: config.audioUrlNetworks, ...(ca && { ca }) }),
    workflows: false,
    check: nothing,
    stop: nothing,
    close: nothing,
  };
}
