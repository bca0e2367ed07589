/** A dashboard as this folder writes it; `dashboardFile` makes Grafana's JSON of it. */
export interface Dashboard {
  /** Of its address; never changes. */
  uid: string;
  title: string;
  description: string;
  rows: Row[];
  /** More variables than the data source and the namespace: values of a label. */
  variables?: Variable[];
}

export interface Row {
  title: string;
  panels: Panel[];
}

export interface Panel {
  title: string;
  /** What a reader should see in it. */
  description: string;
  /** Grafana's name of the unit: s, short, percentunit, bytes, currencyEUR, … */
  unit: string;
  queries: Query[];
  /** `stat`: one figure now. Else lines over time. */
  as?: "stat";
  /** Of 24; 8 unless told. */
  width?: number;
  stacked?: boolean;
}

/** PromQL and the legend of its lines, e.g. `{{queue}}`. */
export type Query = [expression: string, legend: string];

export interface Variable {
  name: string;
  label: string;
  /** Values of this label of this metric, in the namespace. */
  of: { metric: string; label: string };
}

const HEIGHT = { stat: 4, lines: 8 };
const WIDTH = 24;

/** Grafana's model of schema version 39 (Grafana 10 and later), as a file. */
export function dashboardFile({ uid, title, description, rows, variables = [] }: Dashboard): string {
  const panels: object[] = [];
  let y = 0;
  for (const row of rows) {
    panels.push({
      id: panels.length + 1,
      type: "row",
      title: row.title,
      collapsed: false,
      gridPos: at(0, y, WIDTH, 1),
      panels: [],
    });
    y += 1;
    let [x, tallest] = [0, 0];
    for (const panel of row.panels) {
      const [width, height] = [panel.width ?? 8, panel.as === "stat" ? HEIGHT.stat : HEIGHT.lines];
      if (x + width > WIDTH) [x, y, tallest] = [0, y + tallest, 0];
      panels.push(panelOf(panel, panels.length + 1, at(x, y, width, height)));
      x += width;
      tallest = Math.max(tallest, height);
    }
    y += tallest;
  }
  const dashboard = {
    uid,
    title: `Escriba / ${title}`,
    description,
    tags: ["escriba"],
    schemaVersion: 39,
    editable: true,
    graphTooltip: 1,
    refresh: "30s",
    time: { from: "now-6h", to: "now" },
    links: [
      { title: "Escriba", type: "dashboards", tags: ["escriba"], asDropdown: true, includeVars: true, keepTime: true },
    ],
    templating: { list: [DATASOURCE, NAMESPACE, ...variables.map(labelValues)] },
    panels,
  };
  return `${JSON.stringify(dashboard, null, 2)}\n`;
}

const at = (x: number, y: number, w: number, h: number) => ({ x, y, w, h });

const SOURCE = { type: "prometheus", uid: "$datasource" };

// biome-ignore format: one variable a line
const DATASOURCE = { name: "datasource", label: "Data source", type: "datasource", query: "prometheus", current: {}, hide: 0 };
const NAMESPACE = variableOf("namespace", "Namespace", "label_values(nodejs_version_info, namespace)");

function labelValues({ name, label, of }: Variable): object {
  const query = `label_values(${of.metric}{namespace="$namespace"}, ${of.label})`;
  return { ...variableOf(name, label, query), multi: true, includeAll: true, allValue: ".*" };
}

function variableOf(name: string, label: string, query: string): object {
  return {
    name,
    label,
    type: "query",
    datasource: SOURCE,
    query: { query, refId: name },
    definition: query,
    refresh: 2,
    sort: 1,
    current: {},
  };
}

function panelOf({ title, description, unit, queries, as, stacked }: Panel, id: number, gridPos: object): object {
  const targets = queries.map(([expr, legendFormat], index) => ({
    refId: String.fromCharCode(65 + index),
    datasource: SOURCE,
    expr,
    legendFormat,
    ...(as === "stat" && { instant: true }),
  }));
  const common = { id, title, description, datasource: SOURCE, gridPos, targets };
  if (as === "stat") {
    return {
      ...common,
      type: "stat",
      fieldConfig: { defaults: { unit, noValue: "none" }, overrides: [] },
      options: { reduceOptions: { calcs: ["lastNotNull"] }, colorMode: "none", textMode: "auto", graphMode: "none" },
    };
  }
  return {
    ...common,
    type: "timeseries",
    fieldConfig: {
      defaults: {
        unit,
        min: 0,
        custom: { fillOpacity: stacked ? 30 : 0, stacking: { mode: stacked ? "normal" : "none" }, showPoints: "never" },
      },
      overrides: [],
    },
    options: { legend: { displayMode: "list", placement: "bottom" }, tooltip: { mode: "multi", sort: "desc" } },
  };
}
