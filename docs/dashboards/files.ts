import { type Dashboard, dashboardFile } from "./grafana.ts";
import { money } from "./money.ts";
import { operator } from "./operator.ts";
import { queues } from "./queues.ts";
import { service } from "./service.ts";

export const dashboards: Dashboard[] = [service, queues, operator, money];

/** By their path from docs/. */
export const dashboardFiles: Record<string, () => string> = Object.fromEntries(
  dashboards.map((dashboard) => [
    `../charts/escriba/dashboards/${dashboard.uid.replace("escriba-", "")}.json`,
    () => dashboardFile(dashboard),
  ]),
);
