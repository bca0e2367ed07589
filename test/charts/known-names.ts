import { type DescribedMetric, ofEveryProcess, processes } from "../../docs/metrics.ts";
import { namesIn } from "./promql.ts";

/** Given by the Prometheus that scrapes. */
const SCRAPED = ["namespace", "pod", "container", "job", "instance"];
const HISTOGRAM = /_(bucket|sum|count)$/;

const known = new Map<string, DescribedMetric>(
  [...ofEveryProcess(), ...processes().flatMap(({ metrics }) => metrics)].map((metric) => [metric.name, metric]),
);

/** What a query reads that no process has: metrics, and labels that its metrics do not carry. */
export function unknownIn(expression: string): string[] {
  const { metrics, grouping } = namesIn(expression);
  const faults: string[] = [];
  const carried = new Set([...SCRAPED, "process"]);
  for (const { name, labels } of metrics) {
    const metric = metricOf(name);
    if (!metric) {
      faults.push(`no process has ${name}`);
      continue;
    }
    const own = [...metric.labels, ...SCRAPED, "process", ...(name.endsWith("_bucket") ? ["le"] : [])];
    for (const label of own) carried.add(label);
    for (const label of labels) if (!own.includes(label)) faults.push(`${name} has no label ${label}`);
  }
  for (const label of grouping) if (!carried.has(label)) faults.push(`nothing in the query has the label ${label}`);
  if (metrics.length === 0) faults.push("it reads no metric");
  return faults;
}

function metricOf(name: string): DescribedMetric | undefined {
  const metric = known.get(name);
  if (metric) return metric.type === "histogram" ? undefined : metric; // a histogram itself is no series
  const base = known.get(name.replace(HISTOGRAM, ""));
  return base?.type === "histogram" ? base : undefined;
}
