import { decide } from "../../operator/decide/decide.ts";
import { readDemand } from "../../operator/decide/demand.ts";
import { wantedPods } from "../../operator/decide/wanted.ts";
import { busy, idle, observed, type Spec, waiting } from "../../test/operator/decide/observed.ts";
import { World } from "../../test/operator/decide/world.ts";

type Organization = [chunks: number, seconds: number];
type Scaling = NonNullable<Spec["scaling"]>;

interface Backlog {
  what: string;
  organizations: Organization[];
  scaling?: Scaling;
  speed?: number;
}

/** A chunk is 300 s of audio here, the longest there is. Three organizations at most, so that one can follow. */
const backlogs: Backlog[] = [
  { what: "one call of a minute", organizations: [[1, 60]] },
  { what: "ten calls of a minute", organizations: [[10, 600]] },
  { what: "a recording of an hour", organizations: [[12, 3600]] },
  { what: "the same, with a wait of 120 s", organizations: [[12, 3600]], scaling: { targetWaitSeconds: 120 } },
  { what: "the same, four slots a pod", organizations: [[12, 3600]], scaling: { slotsPerPod: 4 } },
  { what: "the same, at twice the speed", organizations: [[12, 3600]], speed: 20 },
  { what: "32 recordings of ten hours, one organization", organizations: [[3840, 1_152_000]] },
  {
    what: "the same, and another's call of a minute",
    organizations: [
      [3840, 1_152_000],
      [1, 60],
    ],
  },
  {
    what: "the same from two organizations",
    organizations: [
      [3840, 1_152_000],
      [3840, 1_152_000],
    ],
  },
  {
    what: "the same, no organization above 8 slots",
    organizations: [
      [3840, 1_152_000],
      [3840, 1_152_000],
    ],
    scaling: { organizationSlots: 8 },
  },
];

/** What a backlog wants, a row each: [what, slots, seconds, pods by slots, pods by seconds, pods wanted]. */
export function wantedRows(): string[][] {
  return backlogs.map(({ what, organizations, scaling = {}, speed = 10 }) => {
    const observation = observed({ demand: waiting(...organizations), spec: { scaling } });
    const demand = readDemand(observation);
    if (!demand.known) throw new Error(`${what}: the demand of an example is known`);
    const wanted = wantedPods(demand.demand, observation.pool.spec.scaling, speed);
    const { slots, seconds, bySlots, bySeconds, pods } = wanted;
    return [what, slots, seconds, bySlots, bySeconds, pods].map(String);
  });
}

interface Situation {
  what: string;
  of: Parameters<typeof observed>[0];
}

const work = (pods: number) => waiting([pods, pods * 300]);
const situations: Situation[] = [
  { what: "nothing waits", of: {} },
  { what: "3 wanted, none there", of: { demand: work(3) } },
  { what: "9 wanted, none there", of: { demand: work(9), spec: { scaling: { maxReplicas: 20 } } } },
  { what: "9 wanted, maxReplicas 4", of: { demand: work(9), spec: { replicas: 4 } } },
  { what: "1 wanted, minReplicas 2", of: { demand: work(1), spec: { replicas: 2, scaling: { minReplicas: 2 } } } },
  { what: "none wanted, 3 idle, since a moment", of: { spec: { replicas: 3 }, pods: [idle(0), idle(1), idle(2)] } },
  {
    what: "1 wanted, 3 there, 2 of them at work",
    of: { demand: work(1), spec: { replicas: 2 }, pods: [busy(0), busy(1), idle(2)] },
  },
  { what: "the API has not answered for 30 s, 3 there", of: { demand: null, spec: { replicas: 3 } } },
  {
    what: "`Manual`, `kubectl scale --replicas 2`",
    of: { demand: work(9), spec: { replicas: 2, scaling: { mode: "Manual" } } },
  },
  {
    what: "`Manual`, `kubectl scale --replicas 9`, maxReplicas 4",
    of: { spec: { replicas: 9, scaling: { mode: "Manual" } } },
  },
  { what: "`paused`", of: { demand: work(9), spec: { replicas: 2, paused: true } } },
];

/** What is decided, a row each: [what, desired, reason, message]. */
export function decidedRows(): string[][] {
  return situations.map(({ what, of }) => {
    const { decision } = decide(observed(of));
    return [what, String(decision.desired), `\`${decision.reason}\``, decision.message];
  });
}

/** Seconds at which the desired count changes, and to what, when so many chunks come at once to a pool of none. */
export function climb(chunks: number, scaling: Scaling): [second: number, desired: number][] {
  return followed(new World({ scaling }, 1000), 120, (world) => {
    world.backlog = [chunks];
  });
}

/** The same when all work is suddenly done. */
export function descent(replicas: number, scaling: Scaling): [second: number, desired: number][] {
  const world = new World({ replicas, scaling: { ...scaling, maxReplicas: replicas } }, 1000);
  return followed(world, 600, () => {
    world.backlog = [];
  });
}

function followed(world: World, seconds: number, set: (world: World) => void): [number, number][] {
  const steps: [number, number][] = [];
  while (world.seconds < seconds) {
    set(world);
    const { desired } = world.tick().plan.decision;
    if (desired !== steps.at(-1)?.[1]) steps.push([world.seconds, desired]);
    world.live();
  }
  return steps;
}
