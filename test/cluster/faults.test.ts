import { type ApiCall, type Fault, FaultProxy } from "./fault-proxy.ts";
import type { OperatorProcess } from "./operator-process.ts";
import { eventually, Stage } from "./stage.ts";
import { clusterTest } from "./tier.ts";

/** The operator behind a proxy that spoils what passes between it and a real API server. */
const test = clusterTest();

let stage: Stage;
let proxy: FaultProxy;
let operator: OperatorProcess;
test.before(async () => {
  stage = await Stage.open();
  proxy = new FaultProxy(stage.plane);
  await proxy.start();
  operator = await stage.operator({}, proxy.url);
  stage.demand.backlog("pool", 2);
  await stage.apply(stage.manifest("pool", { scaling: { maxReplicas: 8 } }));
  await wanted(2);
});
test.after.always(async () => {
  await proxy?.stop();
  await stage?.stop();
});

const wanted = (count: number) =>
  eventually(
    `${count} pods`,
    async () => ({ pool: await stage.pool("pool"), pods: await stage.pods("pool"), log: operator.lines.at(-1) }),
    ({ pool: { spec, status }, pods }) =>
      spec.replicas === count && status.readyReplicas === count && pods.length === count,
  );

const writes = ({ method, resource }: ApiCall) => method !== "GET" && resource !== "leases";
const on =
  (method: string, resource: string) =>
  (call: ApiCall): boolean =>
    call.method === method && call.resource === resource;
const status = (code: 409 | 410 | 429 | 500, reason: string): Fault => ({ kind: "status", code, reason });

const faults: [what: string, on: (call: ApiCall) => boolean, fault: Fault, times: number][] = [
  ["a conflict on every kind of write", writes, status(409, "Conflict"), 6],
  ["a conflict on the status", on("PUT", "workerpools/status"), status(409, "Conflict"), 3],
  ["a conflict on the scale", on("PUT", "workerpools/scale"), status(409, "Conflict"), 2],
  ["too many requests", ({ resource }) => resource !== "leases", status(429, "TooManyRequests"), 8],
  ["internal errors on every kind of write", writes, status(500, "InternalError"), 6],
  ["internal errors on every list", ({ list }) => list, status(500, "InternalError"), 4],
  ["a list that is too old", ({ list }) => list, status(410, "Expired"), 2],
  ["a watch that is too old", ({ watch }) => watch, { kind: "gone" }, 4],
  ["watches cut in the middle of a line", ({ watch }) => watch, { kind: "truncated" }, 6],
  ["lists cut in the middle", ({ list }) => list, { kind: "truncated" }, 4],
  ["watches that say nothing for ever", ({ watch }) => watch, { kind: "frozen" }, 2],
  ["sockets that stay silent", writes, { kind: "silent" }, 3],
  ["pods made whose answer is lost", on("POST", "pods"), { kind: "unanswered" }, 3],
  ["scales written whose answer is lost", on("PUT", "workerpools/scale"), { kind: "unanswered" }, 2],
  ["statuses written whose answer is lost", on("PUT", "workerpools/status"), { kind: "unanswered" }, 2],
  ["pods deleted whose answer is lost", on("DELETE", "pods"), { kind: "unanswered" }, 2],
  ["lists of a while ago", ({ list }) => list, { kind: "stale" }, 4],
];

const scalesTo = async (count: number) => {
  stage.demand.backlog("pool", count);
  await wanted(count);
  const numbers = (await stage.pods("pool")).map(({ metadata }) => metadata.name.split("-").at(-1));
  return new Set(numbers).size;
};

for (const [what, chosen, fault, times] of faults)
  test.serial(`it converges, up and down, through ${what}`, async (t) => {
    // Watches and lists come anew soon: the connections of before are cut.
    proxy.heal();
    const before = proxy.met;
    proxy.add({ on: chosen, fault, times });
    t.is(await scalesTo(5), 5);
    const [busy] = stage.workers.of("pool");
    t.true(busy?.take());
    t.is(await scalesTo(1), 1);
    t.is((await stage.pods("pool"))[0]?.metadata.name, busy?.pod);
    if (busy) busy.busy = 0;
    t.deepEqual(stage.workers.lost, []);
    t.true(proxy.met > before, "the fault was met");
    t.true(operator.running);
  });

const moments: [what: string, on: (call: ApiCall) => boolean, from: number, to: number][] = [
  ["the scale is written", on("PUT", "workerpools/scale"), 1, 4],
  ["a pod is made", on("POST", "pods"), 1, 4],
  ["the status is written", on("PUT", "workerpools/status"), 1, 4],
  ["the scale is written down", on("PUT", "workerpools/scale"), 4, 1],
  ["a pod is deleted", on("DELETE", "pods"), 4, 1],
];

for (const [what, chosen, from, to] of moments)
  test.serial(`killed between the moment that ${what} and its answer, another one carries on`, async (t) => {
    proxy.heal();
    t.is(await scalesTo(from), from);
    const before = proxy.met;
    proxy.add({ on: chosen, fault: { kind: "held" }, times: 1 });
    stage.demand.backlog("pool", to);
    await eventually(
      what,
      async () => proxy.met,
      (met) => met > before,
    );
    await operator.kill();
    operator = await stage.operator({}, proxy.url);
    t.is(await scalesTo(to), to);
    t.deepEqual(stage.workers.lost, []);
  });
