import { isCode } from "../kubernetes/api.ts";
import { apiVersion, WORKER_POOLS } from "../kubernetes/resources.ts";
import { inLanes } from "../lanes.ts";
import type { ReadPool } from "../observe/read-pool.ts";
import type { Action, Plan, PoolEvent } from "../plan.ts";
import { createPod, deletePod, type PodWrites } from "./pod-writes.ts";
import { drainPod, undrainPod } from "./worker-writes.ts";

/** Workers asked at a time: a silent one takes a second. */
const AT_A_TIME = 8;

/** `autoscaling/v1`, which the scale subresource of every kind speaks. */
const SCALE = { apiVersion: "autoscaling/v1", kind: "Scale" };

/**
 * Carries out a plan: its actions in their order, then the one write of the status. Every write first makes sure that
 * we still lead. What fails is told to `onFault` and left to the next decision, which sees what came of it. Answers
 * whether the status is as planned.
 *
 * LeaseLost and the server's wish for less (429) end it early, by being thrown.
 */
export async function act(plan: Plan, target: ReadPool, writes: PodWrites): Promise<boolean> {
  let { resourceVersion } = target.pool.metadata;
  const done: Action[] = [];
  for (const group of groups(plan.actions)) {
    await inLanes(group, AT_A_TIME, async (action) => {
      await attempt(writes, action.kind, async () => {
        if (action.kind === "scale") resourceVersion = await scale(target, action.to, writes);
        else if (!(await onPod(action, target, writes))) return;
        done.push(action);
      });
    });
    // The status counts the change into the policies' periods: a scale that was not written must not be remembered.
    if (group[0]?.kind === "scale" && done.length === 0) return false;
  }
  let written = !plan.statusChanged;
  if (plan.statusChanged) {
    await attempt(writes, "status", async () => {
      written = await writeStatus(plan, target, resourceVersion, writes);
    });
  }
  for (const event of [...podEvents(done), ...plan.events]) {
    await attempt(writes, "event", () => writes.events.record(target.pool, event));
  }
  return written;
}

/** False when there was nothing to do any more. */
function onPod(action: Exclude<Action, { kind: "scale" }>, target: ReadPool, writes: PodWrites): Promise<boolean> {
  if (action.kind === "create") return createPod(target, action, writes);
  if (action.kind === "delete") return deletePod(target, action, writes);
  if (action.kind === "drain") return drainPod(target, action, writes);
  return undrainPod(target, action, writes);
}

/** Neighbours that go to workers go side by side; writes to the API server one by one. */
function groups(actions: Action[]): Action[][] {
  const result: Action[][] = [];
  for (const action of actions) {
    const last = result.at(-1);
    const together = action.kind === "drain" || action.kind === "undrain";
    if (together && last?.[0]?.kind === action.kind) last.push(action);
    else result.push([action]);
  }
  return result;
}

async function attempt(writes: PodWrites, what: string, run: () => Promise<void>): Promise<void> {
  try {
    writes.lease.check();
    await run();
  } catch (error) {
    if ((error as Error).name === "LeaseLost" || isCode(error, 429)) throw error;
    writes.onFault(what, error);
  }
}

/** The pool's version after it; the status goes onto that one. */
async function scale(target: ReadPool, replicas: number, writes: PodWrites): Promise<string> {
  const { api } = writes;
  const { name, namespace, uid, resourceVersion } = target.pool.metadata;
  const scale = { ...SCALE, metadata: { name, namespace, uid, resourceVersion }, spec: { replicas } };
  try {
    const answer = await api.replaceScale(WORKER_POOLS, scale);
    return answer.metadata.resourceVersion ?? resourceVersion;
  } catch (error) {
    if (isCode(error, 409)) await lookAgain(target, writes);
    throw error;
  }
}

async function writeStatus(plan: Plan, target: ReadPool, resourceVersion: string, writes: PodWrites): Promise<boolean> {
  const { object } = target;
  const metadata = { ...object.metadata, resourceVersion };
  const next = { ...object, apiVersion: apiVersion(WORKER_POOLS), kind: WORKER_POOLS.kind, metadata };
  try {
    writes.pools.wrote(await writes.api.replaceStatus(WORKER_POOLS, { ...next, status: plan.status }));
    return true;
  } catch (error) {
    // The pool is gone, and nobody will ask.
    if (isCode(error, 404)) return true;
    if (!isCode(error, 409)) throw error;
    await lookAgain(target, writes);
    return false;
  }
}

/** Somebody wrote in the meantime: the next decision is made on what is there now, and soon. */
async function lookAgain({ pool }: ReadPool, { api, pools, decideAgain }: PodWrites): Promise<void> {
  pools.wrote(await api.get(WORKER_POOLS, pool.metadata.namespace, pool.metadata.name));
  decideAgain();
}

/** One Event for each kind of thing that was done to pods, with their names. */
function podEvents(done: Action[]): PoolEvent[] {
  const about = (reason: string, sentence: string, is: (action: Action) => boolean): PoolEvent[] => {
    const pods = done.filter(is).flatMap((action) => ("pod" in action ? [action.pod] : []));
    return pods.length === 0 ? [] : [{ type: "Normal", reason, message: `${sentence} ${pods.join(", ")}` }];
  };
  const deleted = (reason: string) => (action: Action) => action.kind === "delete" && action.reason === reason;
  return [
    ...about("PodCalledBack", "Called back from draining:", ({ kind }) => kind === "undrain"),
    ...about("PodDeleted", "Deleted, with no work left:", deleted("Drained")),
    ...about("PodDeleted", "Deleted before its worker had started:", deleted("NotStarted")),
    ...about("PodDeleted", "Deleted, since it had ended:", deleted("Ended")),
    ...about("PodDraining", "Asked to take no more work:", ({ kind }) => kind === "drain"),
    ...about("PodCreated", "Created", ({ kind }) => kind === "create"),
  ];
}
