import { Counter, Gauge, Histogram, type Registry } from "../process/metrics.ts";
import type { Breaker, BreakerState } from "./breaker.ts";

/** `cut`: the caller left. `broken`: a stream had begun. */
export type Outcome = "ok" | "refused" | "unavailable" | "broken" | "cut";

export interface UpstreamMetrics {
  requests: Counter<"model" | "outcome">;
  retries: Counter<"model" | "reason">;
  seconds: Histogram<"model" | "outcome">;
}

const STATES: Record<BreakerState, number> = { closed: 0, half_open: 1, open: 2 };

export function createUpstreamMetrics(registry: Registry, breakers: ReadonlyMap<string, Breaker>): UpstreamMetrics {
  const registers = [registry];
  new Gauge({
    name: "escriba_upstream_breaker_state",
    help: "Circuit breaker: 0 closed, 1 half open, 2 open.",
    labelNames: ["model"],
    registers,
    collect() {
      for (const [model, breaker] of breakers) this.set({ model }, STATES[breaker.state]);
    },
  });
  return {
    requests: new Counter({
      name: "escriba_upstream_requests_total",
      help: "Calls by how they ended; a call with retries is one.",
      labelNames: ["model", "outcome"],
      registers,
    }),
    retries: new Counter({
      name: "escriba_upstream_retries_total",
      help: "Tries after the first, by why the one before failed.",
      labelNames: ["model", "reason"],
      registers,
    }),
    seconds: new Histogram({
      name: "escriba_upstream_seconds",
      help: "From the call to its end, waits and stream included.",
      labelNames: ["model", "outcome"],
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600],
      registers,
    }),
  };
}
