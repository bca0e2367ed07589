import { isDeepStrictEqual } from "node:util";
import test from "ava";
import fc from "fast-check";
import { decide } from "../../../operator/decide/decide.ts";
import type { Observation } from "../../../operator/observation.ts";
import type { Plan } from "../../../operator/plan.ts";
import { conditionMeanings, decisionReasons } from "../../../operator/workerpool/reasons.ts";
import { workerPoolStatus } from "../../../operator/workerpool/status.ts";
import type { Spec } from "./observed.ts";
import { World } from "./world.ts";

const specs: fc.Arbitrary<Spec> = fc
  .record({
    mode: fc.constantFrom("Auto" as const, "Auto" as const, "Auto" as const, "Manual" as const),
    limits: fc.tuple(fc.nat(3), fc.nat(6)),
    replicas: fc.nat(6),
    window: fc.constantFrom(0, 10, 120),
    step: fc.integer({ min: 1, max: 6 }),
    surge: fc.constantFrom([1, 0], [0, 1], [2, 1], [3, 0]),
    whenUnschedulable: fc.constantFrom("DrainOneIdle" as const, "Wait" as const),
  })
  .map(
    ({ mode, limits: [min, more], replicas, window, step, surge: [maxSurge, maxUnavailable], whenUnschedulable }) => ({
      replicas,
      scaling: {
        mode,
        minReplicas: min,
        maxReplicas: Math.max(1, min + more),
        scaleUp: { policies: [{ type: "Pods" as const, value: step, periodSeconds: 15 }] },
        scaleDown: { stabilizationWindowSeconds: window },
      },
      rollout: { maxSurge, maxUnavailable, whenUnschedulable, unschedulableSeconds: 10 },
    }),
  );

/** What may happen between two reconciliations. */
type Happening = (world: World) => void;
const index = fc.nat(20);
const happenings: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Happening>((world) => world.live()) },
  {
    weight: 3,
    arbitrary: index.map(
      (n): Happening =>
        (world) =>
          world.take(n),
    ),
  },
  {
    weight: 3,
    arbitrary: index.map(
      (n): Happening =>
        (world) =>
          world.finish(n),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.array(fc.nat(9), { maxLength: 3 }).map(
      (backlog): Happening =>
        (world) => {
          world.backlog = backlog;
        },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constant<Happening>((world) => {
      world.backlog = null;
    }),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(index, fc.constantFrom("evict", "lose", "find", "terminate", "silence", "answer")).map(
      ([n, what]): Happening =>
        (world) =>
          world.befall(n, what),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 4 }).map(
      (n): Happening =>
        (world) => {
          world.template = `template${n}`;
        },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 4 }).map(
      (n): Happening =>
        (world) => {
          const template = `template${n}`;
          if (!world.broken.delete(template)) world.broken.add(template);
        },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.boolean().map(
      (used): Happening =>
        (world) => {
          world.quotaUsedUp = used;
        },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.nat(8).map(
      (nodes): Happening =>
        (world) => {
          world.nodes = nodes;
        },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.nat(8).map(
      (replicas): Happening =>
        (world) => {
          world.spec.replicas = replicas;
        },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 2, max: 400 }).map(
      (seconds): Happening =>
        (world) => {
          world.seconds += seconds;
        },
    ),
  },
);
const histories = fc.array(fc.tuple(happenings, fc.constantFrom(1, 1, 1, 0.5, 0)), { minLength: 5, maxLength: 60 });

/** Runs a history; every second number of failing actions by their place. */
function run(
  spec: Spec,
  nodes: number,
  history: [Happening, number][],
  each: (seen: { observation: Observation; plan: Plan }, world: World) => void,
): World {
  const world = new World(structuredClone(spec), nodes);
  for (const [happen, share] of history) {
    happen(world);
    each(
      world.tick((action) => share === 1 || (share === 0.5 && action % 2 === 0)),
      world,
    );
  }
  return world;
}

const total = ({ pods }: Observation) => pods.filter(({ phase }) => phase !== "Failed" && phase !== "Succeeded").length;
const runs = { numRuns: 400 };

test("never deletes a pod that holds a permit or works, nor one that runs and does not answer", (t) => {
  fc.assert(
    // The world itself throws when a pod that works is deleted; this looks at what the operator could know.
    fc.property(specs, fc.nat(8), histories, (spec, nodes, history) => {
      run(spec, nodes, history, ({ observation, plan }) => {
        for (const action of plan.actions) {
          if (action.kind !== "delete") continue;
          const pod = observation.pods.find(({ uid }) => uid === action.uid);
          t.is(pod?.resourceVersion, action.resourceVersion);
          const ended = pod?.phase === "Failed" || pod?.phase === "Succeeded";
          const empty = pod?.worker?.state === "draining" && pod.worker.permits === 0 && pod.worker.busy === 0;
          const never = pod?.running === false && pod.worker === null && !pod.nodeLost;
          t.true(ended || empty || never, JSON.stringify(pod));
        }
      });
    }),
    runs,
  );
  t.pass();
});

test("never more pods than maxReplicas and maxSurge together, terminating and lost ones counted", (t) => {
  fc.assert(
    fc.property(specs, fc.nat(8), histories, (spec, nodes, history) => {
      const most = (spec.scaling?.maxReplicas ?? 0) + (spec.rollout?.maxSurge ?? 0);
      run(spec, nodes, history, ({ observation, plan }) => {
        const creates = plan.actions.filter(({ kind }) => kind === "create").length;
        if (creates > 0) t.true(total(observation) + creates <= most);
      });
    }),
    runs,
  );
});

test("never two pods of one name, and always the lowest that is free", (t) => {
  fc.assert(
    fc.property(specs, fc.nat(8), histories, (spec, nodes, history) => {
      run(spec, nodes, history, ({ observation, plan }) => {
        const names = plan.actions.flatMap((action) => (action.kind === "create" ? [action.pod] : []));
        t.is(
          new Set([...names, ...observation.pods.map(({ name }) => name)]).size,
          names.length + observation.pods.length,
        );
      });
    }),
    runs,
  );
});

test("unknown demand never lowers the desired count", (t) => {
  fc.assert(
    fc.property(specs, fc.nat(8), histories, (spec, nodes, history) => {
      run(spec, nodes, history, ({ observation, plan }) => {
        const { replicas, scaling } = observation.pool.spec;
        if (observation.demand === null && scaling.mode === "Auto")
          t.true(plan.decision.desired >= Math.min(replicas, scaling.maxReplicas));
      });
    }),
    runs,
  );
});

test("in Auto the desired count is within its limits, never below what is at work, and at least one for any work", (t) => {
  fc.assert(
    fc.property(specs, fc.nat(8), histories, (spec, nodes, history) => {
      run(spec, nodes, history, ({ observation, plan: { decision } }) => {
        const { scaling } = observation.pool.spec;
        if (scaling.mode !== "Auto") return;
        t.true(decision.desired >= scaling.minReplicas && decision.desired <= scaling.maxReplicas);
        const working = observation.pods.filter(
          ({ worker, deletedAt, nodeLost }) =>
            worker?.state === "serving" && worker.busy > 0 && !deletedAt && !nodeLost,
        );
        t.true(decision.desired >= Math.min(working.length, scaling.maxReplicas));
        if (decision.inputs.outstandingChunks > 0) t.true(decision.desired >= 1);
      });
    }),
    runs,
  );
});

test("more demand never means fewer pods, whatever state the pool is in", (t) => {
  fc.assert(
    fc.property(specs, fc.nat(8), histories, fc.nat(9), (spec, nodes, history, more) => {
      const world = run(spec, nodes, history, () => undefined);
      world.backlog ??= [];
      const less = decide(world.observe());
      world.backlog = [...world.backlog, more];
      t.true(decide(world.observe()).decision.desired >= less.decision.desired);
    }),
    runs,
  );
});

test("one organization alone never brings more pods than its slots fill", (t) => {
  fc.assert(
    fc.property(
      fc.nat(100_000),
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 8 }),
      (chunks, organizationSlots, slotsPerPod) => {
        const world = new World(
          {
            scaling: {
              minReplicas: 0,
              maxReplicas: 500,
              organizationSlots,
              slotsPerPod,
              scaleUp: { policies: [{ type: "Pods", value: 500, periodSeconds: 1 }] },
            },
          },
          500,
        );
        world.backlog = [chunks];
        world.tick();
        t.true(world.pods.length <= Math.ceil(Math.min(32, organizationSlots) / slotsPerPod));
      },
    ),
    runs,
  );
});

test("the same observation gives the same plan, and a status that can be read back", (t) => {
  fc.assert(
    fc.property(specs, fc.nat(8), histories, (spec, nodes, history) => {
      run(spec, nodes, history, ({ observation, plan }) => {
        t.true(isDeepStrictEqual(decide(structuredClone(observation)), plan));
        t.true(isDeepStrictEqual(workerPoolStatus.parse(JSON.parse(JSON.stringify(plan.status))), plan.status));
      });
    }),
    { numRuns: 150 },
  );
});

test("every reason that is given is one that the reference explains, or a pod's own", (t) => {
  fc.assert(
    fc.property(specs, fc.nat(8), histories, (spec, nodes, history) => {
      run(spec, nodes, history, ({ plan }) => {
        t.true(plan.decision.reason in decisionReasons);
        for (const { type, reason } of plan.status.conditions) {
          const ofPods = type === "Progressing" && plan.status.backoff.some((entry) => entry.reason === reason);
          t.true(ofPods || reason in conditionMeanings[type].reasons, `${type} ${reason}`);
        }
      });
    }),
    { numRuns: 100 },
  );
});

test.serial("asks no clock, no chance and nobody", (t) => {
  const real = { Date: globalThis.Date, random: Math.random, fetch: globalThis.fetch };
  const refuse = (what: string) => (): never => {
    throw new Error(`a decision asked ${what}`);
  };
  const observations: Observation[] = [];
  for (const history of fc.sample(histories, { numRuns: 20, seed: 1 }))
    run({ scaling: { maxReplicas: 5 } }, 3, history, ({ observation }) => observations.push(observation));
  try {
    globalThis.Date = class extends real.Date {
      constructor(...given: [] | [number]) {
        if (given.length === 0) refuse("the clock")();
        super(...(given as [number]));
      }
      static override now = refuse("the clock");
    } as unknown as DateConstructor;
    Math.random = refuse("chance");
    globalThis.fetch = refuse("the network");
    for (const observation of observations) decide(observation);
  } finally {
    globalThis.Date = real.Date;
    Math.random = real.random;
    globalThis.fetch = real.fetch;
  }
  t.true(observations.length > 100);
});

test("done and looked at again, nothing is left to do: a quiet pool writes nothing", (t) => {
  fc.assert(
    fc.property(specs, fc.nat(8), histories, (spec, nodes, history) => {
      const world = run(spec, nodes, history, () => undefined);
      // Nobody finishes, starts, fails or asks for anything from here on; only the operator acts.
      for (let round = 0; round < 8; round += 1) world.tick();
      const { plan } = world.tick();
      t.deepEqual(plan.actions, []);
      t.false(plan.statusChanged);
      t.deepEqual(plan.events, []);
      t.false(plan.decision.changed);
    }),
    runs,
  );
});

test("whatever happened, once it stops all pods desired are there, ready, of the present template, and for ten minutes nothing is written", (t) => {
  fc.assert(
    fc.property(specs, histories, fc.array(fc.nat(4), { maxLength: 3 }), (spec, history, backlog) => {
      const world = run(spec, 20, history, () => undefined);
      world.nodes = 20;
      world.quotaUsedUp = false;
      world.broken.clear();
      world.silent.clear();
      world.backlog = backlog;
      for (const pod of world.pods) pod.nodeLost = false;
      for (let round = 0; round < 600; round += 1) {
        world.live();
        for (let pod = 0; pod < 20; pod += 1) world.finish(pod);
        world.tick();
      }
      const { plan, observation } = world.tick();
      t.deepEqual(plan.actions, []);
      t.is(observation.pods.length, plan.decision.desired);
      t.true(observation.pods.every(({ ready, templateHash }) => ready && templateHash === world.template));
      t.is(plan.status.readyReplicas, plan.decision.desired);
      for (let round = 0; round < 300; round += 1) {
        world.seconds += 2;
        t.false(world.tick().plan.statusChanged);
      }
    }),
    { numRuns: 60 },
  );
});

test("a rollout ends also on a cluster that is full, smaller than what is desired, or held by a template that crashes", (t) => {
  fc.assert(
    fc.property(specs, fc.integer({ min: 1, max: 5 }), histories, (spec, nodes, history) => {
      const world = run(
        { ...spec, rollout: { ...spec.rollout, whenUnschedulable: "DrainOneIdle" } },
        nodes,
        history,
        () => undefined,
      );
      world.nodes = nodes;
      world.quotaUsedUp = false;
      world.silent.clear();
      world.backlog = [3, 3];
      world.template = "the last one";
      // What has crashed so far goes on crashing.
      for (const pod of world.pods) pod.nodeLost = false;
      // Ten old pods more than there are nodes left: each that makes room in vain is waited for until its deadline.
      for (let round = 0; round < 1000; round += 1) {
        world.live();
        world.seconds += 8;
        for (let pod = 0; pod < 20; pod += 1) world.finish(pod);
        world.tick();
      }
      const { plan, observation } = world.tick();
      const placed = observation.pods.filter(({ scheduledAt }) => scheduledAt !== null);
      t.is(placed.length, Math.min(plan.decision.desired, nodes));
      t.true(placed.every(({ ready, templateHash }) => ready && templateHash === world.template));
      t.deepEqual(plan.actions, []);
    }),
    { numRuns: 40 },
  );
});
