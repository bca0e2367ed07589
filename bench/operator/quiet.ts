import { setTimeout as sleep } from "node:timers/promises";
import { FaultProxy } from "../../test/cluster/fault-proxy.ts";
import { eventually, type Stage } from "../../test/cluster/stage.ts";

/** What still follows the last change: a scale-down's window, an Event. */
const SETTLE_MS = 15_000;

/**
 * What is written in so many minutes in which each of these pools has a pod at work and nothing happens, Leases left
 * out, and how many calls there are in all: counted by a proxy that spoils nothing, not by what the operator says.
 */
export async function quietMinutes(
  stage: Stage,
  pools: string[],
  minutes: number,
  say: (line: string) => void,
): Promise<{ written: string[]; calls: number }> {
  const proxy = new FaultProxy(stage.plane);
  await proxy.start();
  const operator = await stage.operator({}, proxy.url);
  try {
    for (const name of pools) stage.demand.backlog(name, 1, name);
    for (const name of pools) {
      await eventually(
        "a pod",
        () => stage.pool(name),
        ({ status }) => status.readyReplicas === 1,
      );
    }
    await sleep(SETTLE_MS);
    const before = proxy.calls.length;
    const heard = () => {
      const calls = proxy.calls.slice(before);
      const writes = calls.filter(({ method, resource }) => method !== "GET" && resource !== "leases");
      return { written: writes.map(({ method, path }) => `${method} ${path}`), calls: calls.length };
    };
    for (let minute = 1; minute <= minutes; minute += 1) {
      await sleep(60_000);
      say(`${heard().written.length} writes in ${minute} quiet minutes`);
    }
    return heard();
  } finally {
    for (const name of pools) stage.demand.backlog(name, 0, name);
    await operator.stop();
    await proxy.stop();
  }
}
