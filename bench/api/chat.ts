import { Pool } from "undici";
import { median } from "../benchmark.ts";
import type { Route } from "./gateways.ts";
import { closedLoop, complete, percentile, WORDS } from "./load.ts";

const CLIENTS = 16;
/** Requests a contender and round: 20 a client. */
const REQUESTS = 320;

export interface Added {
  p50: number;
  p99: number;
  /** Milliseconds each streamed chunk costs more than without a gateway, at one client; null where not measured. */
  chunk: number | null;
}

/**
 * Milliseconds that each route adds to `direct`, the same upstream without a gateway. All take turns, `rounds` times,
 * after a warm-up; percentiles are over all rounds, chunks the median of the rounds. `say` hears each round's medians.
 */
export async function compareChat(
  direct: Route,
  routes: readonly Route[],
  rounds: number,
  say: (line: string) => void,
): Promise<Map<string, Added>> {
  const contenders = [direct, ...routes].map((route) => ({
    route,
    pool: new Pool(new URL(route.url).origin, { connections: CLIENTS, keepAliveTimeout: 60_000 }),
    steady: [] as number[],
    burst: [] as number[],
  }));
  try {
    for (const { route, pool } of contenders) {
      await closedLoop(CLIENTS, REQUESTS, () => complete(pool, route, "steady"));
      if (route.models.burst) await closedLoop(1, 3, () => complete(pool, route, "burst"));
    }
    for (let round = 1; round <= rounds; round++) {
      for (const { route, pool, steady, burst } of contenders) {
        const times = await closedLoop(CLIENTS, REQUESTS, () => complete(pool, route, "steady"));
        steady.push(...times);
        if (route.models.burst) burst.push(...(await closedLoop(1, 5, () => complete(pool, route, "burst"))));
        const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
        say(`round ${round} of ${rounds}: ${route.name} p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`);
      }
    }
  } finally {
    for (const { pool } of contenders) await pool.close();
  }
  const [base] = contenders as [(typeof contenders)[number]];
  return new Map(
    contenders.slice(1).map(({ route, steady, burst }) => [
      route.name,
      {
        p50: percentile(steady, 0.5) - percentile(base.steady, 0.5),
        p99: percentile(steady, 0.99) - percentile(base.steady, 0.99),
        chunk: burst.length > 0 ? (median(burst) - median(base.burst)) / WORDS.burst : null,
      },
    ]),
  );
}
