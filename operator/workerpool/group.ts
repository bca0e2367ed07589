/** How a WorkerPool is called in the API, and what its pods carry. The chart, the controller and the tests say it so. */
export const GROUP = "escriba.dev";
export const VERSION = "v1alpha1";
export const API_VERSION = `${GROUP}/${VERSION}`;
export const KIND = "WorkerPool";
export const PLURAL = "workerpools";
export const SINGULAR = "workerpool";
export const SHORT_NAME = "wp";

/** On every pod of a pool: which pool. Its selector is this label alone. */
export const POOL_LABEL = `${GROUP}/pool`;
/** On every pod of a pool: of which template it was made. */
export const TEMPLATE_HASH_LABEL = `${GROUP}/template-hash`;

/**
 * Longest name of a pool: `<pool>-<hash>-<n>` is a pod's name and its host name, which has 63 characters; 10 are the
 * hash, 5 the number and 2 the dashes.
 */
export const MAX_POOL_NAME = 46;

/** Name of the container port that serves a worker's `/status` and `/drain`, unless `spec.drain.port` says another. */
export const WORKER_PORT = "metrics";
