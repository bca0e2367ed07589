import type { WorkerPoolObject } from "../../operator/kubernetes/objects.ts";
import { WORKER_POOLS } from "../../operator/kubernetes/resources.ts";
import type { WorkerPoolStatus } from "../../operator/workerpool/types.ts";
import { parseWorkerPool } from "../../operator/workerpool/types.ts";
import { World } from "../operator/decide/world.ts";
import { type PlaneWithPools, startPlaneWithPools } from "./plane-with-pools.ts";
import { poolManifest } from "./pool.ts";
import { clusterTest } from "./tier.ts";

const test = clusterTest();

let opened: PlaneWithPools;
test.before(async () => {
  opened = await startPlaneWithPools();
});
test.after.always(() => opened?.stop());

/** Statuses of four minutes in which everything happens: backlog, quota, evictions, a full cluster, templates that crash. */
function eventfulStatuses(): WorkerPoolStatus[] {
  const world = new World({ scaling: { maxReplicas: 5 }, rollout: { unschedulableSeconds: 2 } }, 2);
  return Array.from({ length: 120 }, (_, step) => {
    world.live();
    if (step % 3 === 0) world.take(step);
    if (step % 5 === 0) world.finish(step);
    if (step % 17 === 0) world.befall(step, "evict");
    world.quotaUsedUp = step >= 10 && step < 30;
    world.backlog = step === 50 ? null : step < 60 ? [3, 4] : [];
    if (step === 40) world.template = "template2";
    if (step === 70) world.broken.add("template3");
    if (step === 71) world.template = "template3";
    if (step % 9 === 0) world.seconds += 20;
    return world.tick().plan.status;
  });
}

test("a status comes back as it was written: a quiet pool sees no difference, and is not written again", async (t) => {
  const { api } = opened;
  const manifest = poolManifest("status-round-trip", "default") as unknown as WorkerPoolObject;
  let pool = await api.create(WORKER_POOLS, manifest);
  const seen = new Set<string>();
  for (const status of eventfulStatuses()) {
    pool = await api.replaceStatus(WORKER_POOLS, { ...pool, status } as WorkerPoolObject);
    t.deepEqual(parseWorkerPool(pool).status, status);
    for (const [field, value] of Object.entries(status)) {
      if (!Array.isArray(value) || value.length > 0) seen.add(field);
    }
  }
  // What this history is for: every list has been filled and every part has been there.
  for (const field of ["backoff", "draining", "demand", "scaling", "decision", "conditions"])
    t.true(seen.has(field), field);
});
