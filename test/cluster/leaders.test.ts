import type { Lease } from "../../operator/kubernetes/objects.ts";
import { LEASES } from "../../operator/kubernetes/resources.ts";
import type { OperatorProcess } from "./operator-process.ts";
import { eventually, NAMESPACE, Stage } from "./stage.ts";
import { clusterTest } from "./tier.ts";

/** What befalls the operator and its API server, with two replicas as the chart has them. */
const test = clusterTest();

let stage: Stage;
let operators: OperatorProcess[];
test.before(async () => {
  stage = await Stage.open();
  operators = [await stage.operator(), await stage.operator()];
  stage.demand.backlog("pool", 3);
  await stage.apply(stage.manifest("pool", { scaling: { maxReplicas: 10 } }));
});
test.after.always(() => stage?.stop());

const leaders = () => operators.filter(({ leads }) => leads);
const lease = (): Promise<Lease> => stage.api.get(LEASES, NAMESPACE, "escriba-operator");
const wanted = (count: number) =>
  eventually(
    `${count} pods`,
    () => stage.pool("pool"),
    ({ status }) => status.readyReplicas === count && status.replicas === count,
  );
const leader = async () => {
  const [found] = await eventually(
    "one leader",
    async () => leaders(),
    (found) => found.length === 1,
  );
  return found as OperatorProcess;
};
/** A leader that could not renew its lease has ended; Kubernetes would start it again. */
const restartEnded = async () => {
  const alive = operators.filter(({ running }) => running);
  const again = operators.slice(alive.length).map(() => stage.operator());
  operators = [...alive, ...(await Promise.all(again))];
};
/** So many, and no two of a number. */
const noDuplicates = async (count: number) => {
  const pods = await stage.pods("pool");
  const indexes = new Set(pods.map(({ metadata }) => metadata.name.split("-").at(-1)));
  return pods.length === count && indexes.size === count;
};

test.serial("one of two leads; both are ready", async (t) => {
  await wanted(3);
  t.is(leaders().length, 1);
  for (const { url } of operators) {
    await eventually(
      "readiness",
      async () => (await fetch(`${url}/readyz`)).status,
      (code) => code === 200,
    );
  }
});

test.serial("when the leader is killed the other one takes over, and makes no pod twice", async (t) => {
  const first = await leader();
  stage.demand.backlog("pool", 6);
  await first.kill();
  await wanted(6);
  t.true(await noDuplicates(6));
  t.not(await leader(), first);
  operators = [...operators.filter((one) => one !== first), await stage.operator()];
});

test.serial("a leader that was paused past its lease ends itself, and does nothing before", async (t) => {
  const first = await leader();
  const { spec } = await lease();
  first.pause();
  stage.demand.backlog("pool", 8);
  await eventually("another holder", lease, (seen) => seen.spec.holderIdentity !== spec.holderIdentity);
  await wanted(8);
  stage.demand.backlog("pool", 7);
  const holder = (await lease()).spec.holderIdentity;
  first.resume();
  t.not(await first.ended(), 0);
  t.true(await noDuplicates((await stage.pods("pool")).length));
  t.is((await lease()).spec.holderIdentity, holder);
  await wanted(7);
  operators = [...operators.filter((one) => one !== first), await stage.operator()];
});

test.serial("a leader that is asked to end hands the lease over at once", async (t) => {
  const first = await leader();
  await first.stop();
  t.is(await first.ended(), 0);
  await leader();
  stage.demand.backlog("pool", 5);
  await wanted(5);
  t.deepEqual(stage.workers.lost, []);
  operators = [...operators.filter((one) => one !== first), await stage.operator()];
});

test.serial("the API server restarts", async (t) => {
  for (const worker of stage.workers.of("pool")) worker.take();
  await stage.plane.apiserver.kill();
  stage.demand.backlog("pool", 9);
  await stage.plane.apiserver.start();
  await restartEnded();
  await wanted(9);
  t.true(await noDuplicates(9));
  t.deepEqual(stage.workers.lost, []);
  await leader();
});

test.serial("etcd is gone for half a minute", async (t) => {
  await stage.plane.etcd.kill();
  stage.demand.backlog("pool", 10);
  await new Promise((resolve) => setTimeout(resolve, 30_000));
  await stage.plane.etcd.start();
  await restartEnded();
  await wanted(10);
  t.true(await noDuplicates(10));
  t.deepEqual(stage.workers.lost, []);
  await leader();
});
