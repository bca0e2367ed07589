import type { Dashboard } from "./grafana.ts";
import { highest, of, quantile, rates } from "./promql.ts";

const QUEUE = 'queue=~"$queue"';

export const queues: Dashboard = {
  uid: "escriba-queues",
  title: "Queues and fairness",
  description: "What waits, how long, who works on it, and whether one organization waits behind another.",
  variables: [{ name: "queue", label: "Queue", of: { metric: "escriba_queue_backlog", label: "queue" } }],
  rows: [
    {
      title: "Task queues",
      panels: [
        {
          title: "Backlog",
          description: "Tasks that wait for a worker.",
          unit: "short",
          queries: [[highest("queue", "escriba_queue_backlog", QUEUE), "{{queue}}"]],
        },
        {
          title: "Oldest",
          description: "How long the first of them has waited.",
          unit: "s",
          queries: [[highest("queue", "escriba_queue_oldest_seconds", QUEUE), "{{queue}}"]],
        },
        {
          title: "Workers",
          description: "Processes that asked a queue for work within two minutes.",
          unit: "short",
          queries: [[highest("queue", "escriba_queue_workers", QUEUE), "{{queue}}"]],
        },
        {
          title: "Busy slots",
          description: "Of all workers, and how many there are held.",
          unit: "short",
          queries: [
            [`sum by (queue) (${of("escriba_worker_slots", QUEUE, 'state="busy"')})`, "{{queue}} busy"],
            [`sum by (queue) (${of("escriba_worker_slots", QUEUE, 'state="held"')})`, "{{queue}} held"],
          ],
        },
      ],
    },
    {
      title: "Waiting, and fairness",
      panels: [
        {
          title: "Half of the steps waited longer",
          description: "Time on the queue, p50.",
          unit: "s",
          queries: [[quantile(0.5, "queue", "escriba_step_wait_seconds", QUEUE), "{{queue}}"]],
        },
        {
          title: "One in a hundred waited longer",
          description: "Time on the queue, p99.",
          unit: "s",
          queries: [[quantile(0.99, "queue", "escriba_step_wait_seconds", QUEUE), "{{queue}}"]],
        },
        {
          title: "p99 ÷ p50",
          description:
            "1: all work waits alike. High: some waits far longer than most, as a large batch does that others may pass.",
          unit: "short",
          queries: [
            [
              `${quantile(0.99, "queue", "escriba_step_wait_seconds", QUEUE)} / ${quantile(0.5, "queue", "escriba_step_wait_seconds", QUEUE)}`,
              "{{queue}}",
            ],
          ],
        },
      ],
    },
    {
      title: "Steps",
      panels: [
        {
          title: "Attempts a second",
          description: "By step and outcome.",
          unit: "ops",
          queries: [[rates("step, outcome", "escriba_step_seconds_count"), "{{step}} {{outcome}}"]],
        },
        {
          title: "Time of an attempt",
          description: "p95 by step.",
          unit: "s",
          queries: [[quantile(0.95, "step", "escriba_step_seconds"), "{{step}}"]],
        },
        {
          title: "Failures a second",
          description: "By step and code; most are tried again.",
          unit: "ops",
          queries: [[rates("step, code", "escriba_step_failures_total"), "{{step}} {{code}}"]],
        },
        {
          title: "Heard again after a loss",
          description: "Windows that were under way when a worker ended.",
          unit: "short",
          queries: [[rates("", "escriba_windows_redone_total"), "windows a second"]],
        },
      ],
    },
    {
      title: "Outbox and sweeper",
      panels: [
        {
          title: "Outbox",
          description: "Rows that wait to be passed on.",
          unit: "short",
          queries: [[highest("kind", "escriba_outbox_waiting"), "{{kind}}"]],
        },
        {
          title: "Oldest row",
          description: "Of the outbox, by kind.",
          unit: "s",
          queries: [[highest("kind", "escriba_outbox_lag_seconds"), "{{kind}}"]],
        },
        {
          title: "Passed on a second",
          description: "And those that are tried again.",
          unit: "ops",
          queries: [[rates("kind, outcome", "escriba_outbox_served_total"), "{{kind}} {{outcome}}"]],
        },
        {
          title: "Mended by the sweeper",
          description: "What crashes and lost servers left.",
          unit: "short",
          queries: [[`sum by (action) (increase(${of("escriba_swept_total")}[$__rate_interval]))`, "{{action}}"]],
        },
      ],
    },
  ],
};
