/** A metric in the dashboard's namespace, e.g. `of("escriba_queue_backlog", 'queue=~"$queue"')`. */
export const of = (metric: string, ...matchers: string[]): string =>
  `${metric}{${['namespace="$namespace"', ...matchers].join(", ")}}`;

/** A second's share of a counter, over what Grafana thinks fits the scrape interval and the picture. */
export const rate = (metric: string, ...matchers: string[]): string =>
  `rate(${of(metric, ...matchers)}[$__rate_interval])`;

/** Sum of the rates, by these labels. */
export const rates = (by: string, metric: string, ...matchers: string[]): string =>
  by === "" ? `sum(${rate(metric, ...matchers)})` : `sum by (${by}) (${rate(metric, ...matchers)})`;

/** A quantile of a histogram, by these labels; `metric` without `_bucket`. */
export const quantile = (q: number, by: string, metric: string, ...matchers: string[]): string =>
  `histogram_quantile(${q}, ${rates(by === "" ? "le" : `${by}, le`, `${metric}_bucket`, ...matchers)})`;

/** The highest: of what every replica tells the same of. */
export const highest = (by: string, metric: string, ...matchers: string[]): string =>
  by === "" ? `max(${of(metric, ...matchers)})` : `max by (${by}) (${of(metric, ...matchers)})`;
