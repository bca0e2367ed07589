import { Random } from "../../../eval/random.ts";
import { incidents } from "./incidents.ts";
import { GOOD_IMAGE, type PoolSpec, World } from "./world.ts";

export interface History {
  seed: number;
  /** Empty when it went well. */
  violations: string[];
  /** What happened, a line each. */
  log: string[];
  /** Virtual. */
  seconds: number;
  /** Writes of the operators, but those of the lease. */
  writes: number;
  done: number;
}

const TROUBLE_MS = 60_000;
/** Back-offs of failed templates take minutes; what has not settled by now never will. */
const SETTLED_WITHIN_MS = 15 * 60_000;
const QUIET_MS = 40_000;

/**
 * One history: a cluster, two operators and a minute of trouble, all drawn from the seed; then everything is mended,
 * and the pool has to become what its spec says, and stay so without a single write.
 */
export async function runHistory(seed: number): Promise<History> {
  const random = new Random(seed);
  const world = new World(seed + 1, { count: 1 + random.below(3), gpus: 1 + random.below(3) });
  const spec = draw(random);
  await world.open(spec);
  world.say(`spec ${JSON.stringify(spec.scaling)} ${JSON.stringify(spec.rollout)}`);
  const timeline = Array.from({ length: 2 + random.below(7) }, () => ({
    at: random.between(2_000, TROUBLE_MS),
    incident: random.pick(incidents),
  })).sort((one, other) => one.at - other.at);
  world.work.post("first", random.below(20));
  let now = 0;
  for (const { at, incident } of timeline) {
    await world.run(at - now);
    now = at;
    incident(world, random);
  }
  await world.run(TROUBLE_MS - now);
  await mend(world);
  await settle(world);
  const { violations, log, written: writes } = world;
  return { seed, violations, log, writes, done: world.work.done, seconds: world.clock.monotonic() / 1000 };
}

function draw(random: Random): PoolSpec {
  const maxSurge = random.below(2);
  const minReplicas = random.below(3);
  return {
    queues: ["speech"],
    assumedSpeed: 15,
    scaling: {
      mode: "Auto",
      minReplicas,
      maxReplicas: Math.max(minReplicas, 1 + random.below(5)),
      slotsPerPod: 2,
      targetWaitSeconds: 10,
      scaleDown: { stabilizationWindowSeconds: random.pick([0, 4, 10]) },
    },
    rollout: {
      maxSurge,
      maxUnavailable: maxSurge === 0 ? 1 : random.below(2),
      unschedulableSeconds: 5,
      progressDeadlineSeconds: 20,
    },
    demand: { url: "http://api/internal/demand", tokenSecret: { name: "demand", key: "token" } },
    template: {
      spec: {
        terminationGracePeriodSeconds: 30,
        containers: [{ name: "worker", image: GOOD_IMAGE, ports: [{ name: "metrics", containerPort: 9464 }] }],
      },
    },
  };
}

/** Ends all trouble, and leaves a template that starts, on nodes that have room for as many pods as may be wanted. */
async function mend(world: World): Promise<void> {
  world.say("everything is mended");
  world.mend();
  for (const node of world.kubelet.nodes) Object.assign(node, { alive: true, gpus: 8 });
  for (const process of world.processes) process.resume();
  world.edit(({ replicas: _, paused: __, ...spec }) => {
    const [worker] = spec.template.spec.containers;
    const containers = [{ ...worker, image: worker?.image.startsWith(GOOD_IMAGE) ? worker.image : GOOD_IMAGE }];
    return {
      ...spec,
      scaling: { ...spec.scaling, mode: "Auto" },
      template: { spec: { ...spec.template.spec, containers } },
    };
  }, "as it should be");
}

/** Waits until the pool is what it should be without work, and sees that it stays so. */
export async function settle(world: World, quietMs = QUIET_MS): Promise<void> {
  const STEP_MS = 2_000;
  let faults = unsettled(world);
  for (let passed = 0; faults.length > 0 && passed < SETTLED_WITHIN_MS; passed += STEP_MS) {
    await world.run(STEP_MS);
    faults = unsettled(world);
  }
  for (const fault of faults) world.violate(`does not converge: ${fault}`);
  if (faults.length > 0) return;
  world.say("settled");
  // What the last change made necessary is written; from then on there is nothing to write.
  await world.run(20_000);
  world.writes = [];
  await world.run(quietMs);
  if (world.writes.length > 0) world.violate(`${world.writes.length} writes while nothing happened: ${world.writes}`);
  for (const fault of unsettled(world)) world.violate(`does not stay: ${fault}`);
}

/** What keeps the pool from being what it should be without work. */
function unsettled({ clock, work, pool, pods, processes }: World): string[] {
  const { scaling, template } = pool.spec;
  const { status = {} } = pool;
  const image = template.spec.containers[0]?.image;
  const wanted = scaling.minReplicas;
  const serving = pods.filter(
    ({ metadata, status: { conditions = [] } = {} }) =>
      !metadata.deletionTimestamp && conditions.some(({ type, status }) => type === "Ready" && status === "True"),
  );
  const current = serving.filter(({ spec }) => spec.containers[0]?.image === image);
  const checks: [boolean, string][] = [
    [work.outstanding === 0, `${work.outstanding} pieces of work are not done`],
    [pods.length === wanted, `${pods.length} pods instead of ${wanted}`],
    [current.length === wanted, `${current.length} of ${wanted} pods are ready and of the present template`],
    [status.replicas === wanted, `status.replicas is ${status.replicas}`],
    [status.readyReplicas === wanted, `status.readyReplicas is ${status.readyReplicas}`],
    [status.updatedReplicas === wanted, `status.updatedReplicas is ${status.updatedReplicas}`],
    [status.desiredReplicas === wanted, `status.desiredReplicas is ${status.desiredReplicas}`],
    [pool.spec.replicas === wanted || (wanted === 0 && !pool.spec.replicas), `spec.replicas is ${pool.spec.replicas}`],
    [status.observedGeneration === pool.metadata.generation, "status is of an earlier generation"],
    [(status.draining ?? []).length === 0, "a pod is said to drain"],
    [status.busyReplicas === 0, `status.busyReplicas is ${status.busyReplicas}`],
    [
      status.conditions?.some((one) => one.type === "TemplateAccepted" && one.status === "True") ?? false,
      "the template is not accepted",
    ],
    [status.backoff?.every(({ until }) => Date.parse(until) < clock.now()) ?? true, "a template is left alone"],
    [processes.filter(({ operator, over }) => !over && operator.leads).length === 1, "not exactly one process leads"],
  ];
  return checks.filter(([holds]) => !holds).map(([, fault]) => fault);
}
