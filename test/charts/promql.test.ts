import test from "ava";
import { unknownIn } from "./known-names.ts";
import { namesIn } from "./promql.ts";

test("metrics, their labels and what a query groups by are found; functions, words and values are not", (t) => {
  t.deepEqual(
    namesIn(`
      sum by (namespace, le) (rate(a_bucket{route!~"/v1/(files|x)", code="sum(b)"}[5m]))
        / on (namespace) group_left sum without (pod) (rate(b[1h:30s])) > 0.5 and c unless absent(d{e="1"}) or time() - f > 1e3
    `),
    {
      metrics: [
        { name: "a_bucket", labels: ["route", "code"] },
        { name: "b", labels: [] },
        { name: "c", labels: [] },
        { name: "d", labels: ["e"] },
        { name: "f", labels: [] },
      ],
      grouping: ["namespace", "le", "namespace", "pod"],
    },
  );
});

test("a metric, a label or a grouping that no process has is told", (t) => {
  const queue = "escriba_queue_backlog";
  t.deepEqual(unknownIn(`max by (queue) (${queue}{namespace="x"})`), []);
  t.deepEqual(unknownIn("escriba_queue_backlogs"), ["no process has escriba_queue_backlogs"]);
  t.deepEqual(unknownIn(`${queue}{kind="x"}`), [`${queue} has no label kind`]);
  t.deepEqual(unknownIn(`sum by (kind) (${queue})`), ["nothing in the query has the label kind"]);
  t.deepEqual(unknownIn("rate(escriba_step_seconds[5m])"), ["no process has escriba_step_seconds"]);
  t.deepEqual(unknownIn("sum by (le) (rate(escriba_step_seconds_bucket[5m]))"), []);
  t.deepEqual(unknownIn("sum by (le) (rate(escriba_step_seconds_count[5m]))"), [
    "nothing in the query has the label le",
  ]);
  t.deepEqual(unknownIn("escriba_queue_backlog_count"), ["no process has escriba_queue_backlog_count"]);
  t.deepEqual(unknownIn("vector(1)"), ["it reads no metric"]);
});
