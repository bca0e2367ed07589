import test from "ava";
import { settle } from "./model/history.ts";
import { GOOD_IMAGE, type PoolSpec, World } from "./model/world.ts";

const spec: PoolSpec = {
  queues: ["speech"],
  assumedSpeed: 15,
  scaling: {
    mode: "Auto",
    minReplicas: 1,
    maxReplicas: 3,
    slotsPerPod: 2,
    targetWaitSeconds: 10,
    scaleDown: { stabilizationWindowSeconds: 4 },
  },
  rollout: { maxSurge: 1, maxUnavailable: 0 },
  demand: { url: "http://api/internal/demand", tokenSecret: { name: "demand", key: "token" } },
  template: {
    spec: { containers: [{ name: "worker", image: GOOD_IMAGE, ports: [{ name: "metrics", containerPort: 9464 }] }] },
  },
};

const image = (name: string) => (old: PoolSpec) => ({
  ...old,
  template: { spec: { containers: old.template.spec.containers.map((one) => ({ ...one, image: name })) } },
});

/** Work comes, the pool grows, a new template rolls out under work, the work ends, the pool shrinks. */
async function day(prepare: (world: World) => void): Promise<World> {
  const world = new World(7, { count: 2, gpus: 4 });
  await world.open(spec);
  prepare(world);
  world.work.post("a", 8);
  await world.run(16_000);
  world.work.post("b", 10);
  world.edit(image(`${GOOD_IMAGE}:2`), "image 2");
  await world.run(30_000);
  return world;
}

test("a leader that is killed in any of its calls, before or after it took effect, leaves nothing that the next one does not mend", async (t) => {
  let calls = 0;
  const well = await day((world) => {
    calls = -(world.processes[0]?.calls ?? 0);
  });
  calls += well.processes[0]?.calls ?? 0;
  t.true(calls > 100, `${calls} calls`);
  await settle(well);
  t.deepEqual(well.violations, []);
  for (let call = 1; call <= calls; call += 1) {
    for (const before of [true, false]) {
      const world = await day(({ processes }) => processes[0]?.crashIn(call, before));
      t.true(world.processes[0]?.over, `it crashed in call ${call}`);
      await settle(world);
      if (world.violations.length > 0) t.log(world.log.join("\n"));
      t.deepEqual(world.violations, [], `crash in call ${call}, ${before ? "before" : "after"} it took effect`);
    }
  }
});

test("a leader that is stopped in any of its calls and goes on under another one does no harm", async (t) => {
  for (let call = 1; call <= 150; call += 2) {
    const world = await day(({ processes, clock }) => {
      processes[0]?.pauseIn(call);
      void clock.sleep(35_000).then(() => processes[0]?.resume());
    });
    await settle(world);
    if (world.violations.length > 0) t.log(world.log.join("\n"));
    t.deepEqual(world.violations, [], `stopped in call ${call}`);
  }
});

test("a quiet cluster sees no write but the lease's in ten minutes", async (t) => {
  const world = await day(() => undefined);
  await settle(world, 10 * 60_000);
  t.deepEqual(world.violations, []);
  t.true(world.written > 10, "there were writes before");
});

test("a new leader of a quiet cluster finds it as it should be, and writes nothing either", async (t) => {
  const world = await day(() => undefined);
  await settle(world);
  world.writes = [];
  world.processes.find(({ operator }) => operator.leads)?.crashIn(1);
  await world.run(60_000);
  t.is(world.processes.filter(({ operator, over }) => operator.leads && !over).length, 1);
  t.true(world.pods.length > 0);
  t.deepEqual([world.writes, world.violations], [[], []]);
});

test("what was written can be decided again from the log alone, and events tell of it", async (t) => {
  const world = await day(() => undefined);
  await settle(world);
  const [leader] = world.processes;
  const lines = leader?.operator.decisions.lines as { kind: string; observation: object }[];
  t.true(lines.length > 3);
  t.true(lines.every(({ kind }) => kind === "decision"));
  t.false(JSON.stringify(lines).includes(GOOD_IMAGE), "no template in the log");
  const reasons = new Set(world.events.map(({ reason }) => reason));
  for (const reason of ["PodCreated", "PodDraining", "PodDeleted"]) t.true(reasons.has(reason), reason);
});
