import type { Dashboard } from "./grafana.ts";
import { highest, of, quantile, rates } from "./promql.ts";

const POOL = 'pool=~"$pool"';
const BY = "pool_namespace, pool";

export const operator: Dashboard = {
  uid: "escriba-operator",
  title: "Operator",
  description: "What the operator sees, decides and does about each WorkerPool.",
  variables: [
    { name: "pool", label: "Pool", of: { metric: "escriba_operator_decision_timestamp_seconds", label: "pool" } },
  ],
  rows: [
    {
      title: "Lead",
      panels: [
        {
          title: "Leads",
          description: "1 for the process that holds the lease.",
          unit: "short",
          as: "stat",
          queries: [[highest("pod", "escriba_operator_leader"), "{{pod}}"]],
        },
        {
          title: "Last decision",
          description: "How long ago; one is due every two seconds.",
          unit: "s",
          as: "stat",
          queries: [[`time() - ${highest(BY, "escriba_operator_decision_timestamp_seconds", POOL)}`, "{{pool}}"]],
        },
        {
          title: "Lease taken",
          description: "Within the last hour.",
          unit: "short",
          as: "stat",
          queries: [[`sum by (event) (increase(${of("escriba_operator_lease_transitions_total")}[1h]))`, "{{event}}"]],
        },
      ],
    },
    {
      title: "Pools",
      panels: [
        {
          title: "Workers",
          description: "Wanted, there, ready, busy, leaving, pending, and the most there may be.",
          unit: "short",
          width: 12,
          queries: [[highest("pool, state", "escriba_operator_pods", POOL), "{{pool}} {{state}}"]],
        },
        {
          title: "Conditions",
          description: "1 while True.",
          unit: "short",
          width: 12,
          queries: [[highest("pool, condition", "escriba_operator_condition", POOL), "{{pool}} {{condition}}"]],
        },
        {
          title: "Outstanding audio",
          description: "What all organizations wait for.",
          unit: "s",
          queries: [[highest("pool", "escriba_operator_outstanding_seconds", POOL), "{{pool}}"]],
        },
        {
          title: "Outstanding chunks",
          description: "The same as pieces of work.",
          unit: "short",
          queries: [[highest("pool", "escriba_operator_outstanding_chunks", POOL), "{{pool}}"]],
        },
        {
          title: "Oldest work",
          description: "How long it has waited.",
          unit: "s",
          queries: [[highest("pool", "escriba_operator_waiting_seconds", POOL), "{{pool}}"]],
        },
        {
          title: "Age of demand",
          description: "Over 30 s it is unknown, and the operator holds.",
          unit: "s",
          queries: [[highest("pool", "escriba_operator_demand_age_seconds", POOL), "{{pool}}"]],
        },
        {
          title: "Demand known",
          description: "0: the pool stays as it is.",
          unit: "short",
          queries: [[highest("pool", "escriba_operator_demand_known", POOL), "{{pool}}"]],
        },
        {
          title: "Speed",
          description: "Audio-seconds that a slot does in a second, as decisions reckon with it.",
          unit: "short",
          queries: [[highest("pool", "escriba_operator_speed", POOL), "{{pool}}"]],
        },
      ],
    },
    {
      title: "Work",
      panels: [
        {
          title: "Decisions",
          description: "Those that changed something, by reason.",
          unit: "short",
          queries: [
            [
              `sum by (pool, reason) (increase(${of("escriba_operator_decisions_total", POOL)}[$__rate_interval]))`,
              "{{pool}} {{reason}}",
            ],
          ],
        },
        {
          title: "Drains",
          description: "From asking a worker to take no more work to its pod's deletion.",
          unit: "s",
          queries: [
            [quantile(0.5, "pool", "escriba_operator_drain_seconds", POOL), "p50 {{pool}}"],
            [quantile(0.95, "pool", "escriba_operator_drain_seconds", POOL), "p95 {{pool}}"],
          ],
        },
        {
          title: "A look at a pool",
          description: "From looking to the status written.",
          unit: "s",
          queries: [[quantile(0.99, "pool", "escriba_operator_reconcile_seconds", POOL), "p99 {{pool}}"]],
        },
        {
          title: "Calls to the API server",
          description: "A quiet cluster has none but those of the lease.",
          unit: "reqps",
          queries: [
            [rates("verb, resource, code", "escriba_operator_api_calls_total"), "{{verb}} {{resource}} {{code}}"],
          ],
        },
        {
          title: "Faults",
          description: "What went wrong and is tried again.",
          unit: "short",
          queries: [[rates("kind", "escriba_operator_faults_total"), "{{kind}}"]],
        },
      ],
    },
  ],
};
