import { percentile } from "../api/load.ts";
import { type Outcome, round } from "../benchmark.ts";
import type { FromZero } from "./from-zero.ts";
import type { ScaleDowns } from "./scale-downs.ts";
import type { SmallTenant } from "./small-tenant.ts";

/** What was measured; a part that was not asked for is absent. */
export interface Measured {
  /** Milliseconds, a backlog each. */
  scale?: number[] | undefined;
  /** Milliseconds, a change each. */
  status?: number[] | undefined;
  /** What the operator wrote while nothing happened, Leases left out, and how many calls it made in all. */
  quiet?: { written: string[]; calls: number } | undefined;
  downs?: ScaleDowns | undefined;
  zero?: FromZero[] | undefined;
  /** With the server settings that the product asks for, and with none. */
  small?: SmallTenant | undefined;
  smallWithoutFairness?: SmallTenant | undefined;
}

/** What the project promises; a figure that was not measured breaks no promise. */
const TARGETS = {
  backlog_to_scale_p99_ms: 3_000,
  status_p99_ms: 250,
  idle_writes: 0,
  activities_restarted: 0,
  tasks_lost: 0,
  from_zero_p95_s: 15,
  small_tenant_wait_ratio: 1.2,
} as const;

/** `failed`: parts that were begun and have no figures. That breaks the promise too. */
export function report(measured: Measured, failed: readonly string[], runs: Record<string, unknown>): Outcome {
  const { scale, status, quiet, downs, zero, small, smallWithoutFairness } = measured;
  const at = (values: number[] | undefined, share: number, places = 0) =>
    values ? round(percentile(values, share), places) : null;
  const zeroTo = (what: keyof FromZero) => zero?.map((one) => one[what]);
  const figures = {
    benchmark: "operator",
    backlog_to_scale_p99_ms: at(scale, 0.99),
    status_p99_ms: at(status, 0.99),
    idle_writes: quiet?.written.length ?? null,
    scale_downs: downs?.scale_downs ?? null,
    activities_restarted: downs?.activities_restarted ?? null,
    tasks_lost: downs?.tasks_lost ?? null,
    from_zero_p95_s: at(zeroTo("result"), 0.95, 1),
    small_tenant_wait_ratio: small?.small_tenant_wait_ratio ?? null,
    small_tenant_wait_ratio_fairness_off: smallWithoutFairness?.small_tenant_wait_ratio ?? null,
    backlog_to_scale_p50_ms: at(scale, 0.5),
    status_p50_ms: at(status, 0.5),
    idle_calls: quiet?.calls ?? null,
    idle_written: quiet?.written ?? null,
    scale_down_sigterms: downs?.sigterms ?? null,
    scale_down_activities: downs?.activities ?? null,
    scale_down_transcripts_lost: downs?.transcripts_lost ?? null,
    lost_where_none_left: downs?.lost_where_none_left ?? null,
    server_faults: downs?.server_faults ?? null,
    drain_p50_ms: downs?.drain_ms_p50 ?? null,
    drain_most_ms: downs?.drain_ms_max ?? null,
    from_zero_p50_s: at(zeroTo("result"), 0.5, 1),
    from_zero_begun_p50_s: at(zeroTo("begun"), 0.5, 1),
    from_zero_ready_p50_s: at(zeroTo("ready"), 0.5, 1),
    small_tenant_idle_s: small?.idle_seconds ?? null,
    small_tenant_busy_s: small?.busy_seconds ?? null,
    ...runs,
    failed,
  };
  const lines = [
    scale &&
      `backlog to scale write: p50 ${figures.backlog_to_scale_p50_ms} ms, p99 ${figures.backlog_to_scale_p99_ms} ms`,
    status && `change to status: p50 ${figures.status_p50_ms} ms, p99 ${figures.status_p99_ms} ms`,
    quiet && `${quiet.written.length} writes beside the Lease's while nothing happened (${quiet.calls} calls in all)`,
    downs &&
      `${downs.scale_downs} workers drained during ${downs.activities} steps: ${downs.activities_restarted} begun again, ${downs.tasks_lost} lost, and ${downs.lost_where_none_left} where no worker left`,
    zero && `no worker to a transcript: p50 ${figures.from_zero_p50_s} s, p95 ${figures.from_zero_p95_s} s`,
    small && `a minute's file beside 32 of ten hours: x ${small.small_tenant_wait_ratio} of its idle time`,
    smallWithoutFairness && `the same without fairness: x ${smallWithoutFairness.small_tenant_wait_ratio}`,
    failed.length > 0 && `failed, and without figures: ${failed.join(", ")}`,
  ];
  const passed = Object.entries(TARGETS).every(([name, most]) => {
    const value = figures[name as keyof typeof TARGETS];
    return value === null || value <= most;
  });
  return {
    figures,
    table: lines.filter((line) => typeof line === "string").join("\n"),
    passed: passed && failed.length === 0,
  };
}
