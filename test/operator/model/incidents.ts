import type { Random } from "../../../eval/random.ts";
import type { Pod } from "../../../operator/kubernetes/objects.ts";
import { PODS } from "../../../operator/kubernetes/resources.ts";
import { BAD_IMAGE } from "./kubelet.ts";
import { type DemandFault, GOOD_IMAGE, NAMESPACE, POOL, type PoolSpec, type World } from "./world.ts";

/** Something that happens to a cluster; what it begins it also ends, after a while. */
export type Incident = (world: World, random: Random) => void;

const leader = ({ processes }: World) => processes.find(({ over, operator }) => !over && operator.leads);
const running = ({ pods }: World) =>
  pods.filter(({ metadata, status }) => !metadata.deletionTimestamp && status?.phase === "Running");

function later(world: World, seconds: number, what: () => void): void {
  void world.clock.sleep(seconds * 1000).then(what);
}

/** For a while, unless everything was mended in between. */
function period(world: World, random: Random, said: string, set: () => void, unset: () => void): void {
  world.say(said);
  set();
  later(world, random.between(3, 25), () => {
    world.say(`over: ${said}`);
    unset();
  });
}

function image(world: World, name: string): void {
  const change = ({ template, ...spec }: PoolSpec): PoolSpec => ({
    ...spec,
    template: {
      spec: { ...template.spec, containers: template.spec.containers.map((one) => ({ ...one, image: name })) },
    },
  });
  world.edit(change, `image ${name}`);
}

function aPod(world: World, random: Random, said: string, what: (pod: Pod) => void): void {
  const pods = running(world);
  if (pods.length === 0) return;
  const pod = random.pick(pods);
  world.say(`${said} ${pod.metadata.name}`);
  what(pod);
}

const workArrives: Incident = (world, random) => {
  const chunks = 1 + random.below(30);
  world.say(`${chunks} chunks of work`);
  world.work.post(random.pick(["a", "b", "c"]), chunks);
};

export const incidents: Incident[] = [
  workArrives,
  workArrives,
  workArrives,
  function operatorCrashes(world, random) {
    const process = leader(world);
    if (!process) return;
    const calls = 1 + random.below(12);
    world.say(`the leader will crash in its call ${calls} from now`);
    process.crashIn(calls);
  },
  function operatorCrashesAndListsLag(world, random) {
    const process = leader(world);
    if (!process) return;
    world.say("work for all, a crash in the middle, and lists of a while ago for whoever leads next");
    for (const organization of ["a", "b", "c"]) world.work.post(organization, 20);
    later(world, random.between(1, 4), () => process.crashIn(1 + random.below(6)));
    const none = world.faults;
    const faults = { ...none, stale: 0.9 };
    const set = () => {
      world.faults = faults;
    };
    period(world, random, "lists lag", set, () => {
      if (world.faults === faults) world.faults = none;
    });
  },
  function operatorPauses(world, random) {
    const process = leader(world);
    if (!process) return;
    const calls = 1 + random.below(8);
    world.say(`the leader will stop for a while in its call ${calls} from now`);
    process.pauseIn(calls);
    later(world, random.between(8, 45), () => {
      world.say("it goes on");
      process.resume();
    });
  },
  function operatorStops(world) {
    world.say("the leader is asked to end");
    leader(world)?.stop();
  },
  function apiFaults(world, random) {
    const odds = () => (random.chance(0.4) ? random.between(0, 0.6) : 0);
    const faults = {
      conflict: odds(),
      tooMany: odds(),
      broken: odds(),
      silent: odds() / 2,
      slow: odds(),
      stale: odds(),
      watch: odds(),
    };
    const none = world.faults;
    const set = () => {
      world.faults = faults;
    };
    period(world, random, `API faults ${JSON.stringify(faults)}`, set, () => {
      if (world.faults === faults) world.faults = none;
    });
  },
  function quota(world, random) {
    const quota = random.below(3);
    const set = () => {
      world.quota = quota;
    };
    period(world, random, `quota of ${quota} pods`, set, () => {
      world.quota = null;
    });
  },
  function admission(world, random) {
    const set = () => {
      world.refusesPods = true;
    };
    period(world, random, "a webhook refuses pods", set, () => {
      world.refusesPods = false;
    });
  },
  function nodeDies(world, random) {
    const node = random.pick(world.kubelet.nodes);
    const set = () => {
      node.alive = false;
    };
    period(world, random, `${node.name} dies`, set, () => {
      node.alive = true;
    });
  },
  function demandFails(world, random) {
    const fault = random.pick<DemandFault>(["down", "late", "wrong", "empty"]);
    const set = () => {
      world.demandFault = fault;
    };
    period(world, random, `demand is ${fault}`, set, () => {
      world.demandFault = null;
    });
  },
  function workerIsSilent(world, random) {
    aPod(world, random, "silent worker in", ({ metadata }) => {
      const uid = metadata.uid as string;
      const set = () => world.work.silence(uid, true);
      period(world, random, "it does not answer", set, () => world.work.silence(uid, false));
    });
  },
  function workerCrashes(world, random) {
    aPod(world, random, "worker crashes in", (pod) => world.kubelet.crash(pod));
  },
  function podIsEvicted(world, random) {
    aPod(world, random, "evicted", (pod) => world.kubelet.evict(pod));
  },
  function somebodyDeletesAPod(world, random) {
    aPod(world, random, "somebody deletes", (pod) => {
      const deletionTimestamp = new Date(world.clock.now() + 30_000).toISOString();
      world.api.put(PODS, { ...pod, metadata: { ...pod.metadata, deletionTimestamp } });
    });
  },
  function somebodyForcesAPodAway(world, random) {
    aPod(world, random, "somebody deletes by force", (pod) => {
      world.work.kill(pod.metadata.uid as string);
      world.api.remove(PODS, pod);
    });
  },
  function aNameIsTaken(world, random) {
    const hash = world.pool.status?.templateHash;
    if (!hash) return;
    const name = `${POOL}-${hash}-${random.below(3)}`;
    const metadata = { name, namespace: NAMESPACE };
    const spec = { containers: [{ name: "other", image: GOOD_IMAGE }] };
    world.say(`a stranger takes the name ${name}`);
    world.api.create(PODS, { metadata, spec }).then(
      (pod) => later(world, random.between(5, 30), () => world.api.remove(PODS, pod)),
      () => undefined,
    );
  },
  function newTemplate(world, random) {
    image(world, `${GOOD_IMAGE}:${random.below(1000)}`);
  },
  function badTemplate(world, random) {
    image(world, BAD_IMAGE);
    later(world, random.between(5, 30), () => image(world, GOOD_IMAGE));
  },
  function otherLimits(world, random) {
    const maxReplicas = 1 + random.below(5);
    const minReplicas = Math.min(maxReplicas, random.below(3));
    const change = (spec: PoolSpec) => ({ ...spec, scaling: { ...spec.scaling, minReplicas, maxReplicas } });
    world.edit(change, `min ${minReplicas}, max ${maxReplicas}`);
  },
  function byHand(world, random) {
    const replicas = random.below(6);
    const mode = (name: string) => (spec: PoolSpec) => ({
      ...spec,
      ...(name === "Manual" && { replicas }),
      scaling: { ...spec.scaling, mode: name },
    });
    world.edit(mode("Manual"), `Manual, ${replicas} replicas`);
    later(world, random.between(5, 30), () => world.edit(mode("Auto"), "Auto"));
  },
  function paused(world, random) {
    world.edit((spec) => ({ ...spec, paused: true }), "paused");
    later(world, random.between(5, 20), () => world.edit(({ paused: _, ...spec }) => spec, "not paused"));
  },
];
