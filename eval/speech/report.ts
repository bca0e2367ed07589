import { round, table } from "../../bench/benchmark.ts";
import type { Outcome } from "../evaluation.ts";
import type { Row } from "./figures/rows.ts";

/** Whether a figure keeps what is promised; null when nothing is, or when it could not be measured. */
export function verdict({ figure: { value }, target }: Row): boolean | null {
  if (!target || value === null) return null;
  return value <= (target.most ?? Number.POSITIVE_INFINITY) && value >= (target.least ?? Number.NEGATIVE_INFINITY);
}

/**
 * The table, and the JSON: figures by name, those of a language or a condition in `sets`, and under `evidence` what each
 * stands on. Passed when every target that was measured is met, and, when `whole`, every target was measured.
 */
export function report(rows: readonly Row[], facts: Record<string, unknown>, whole: boolean): Outcome {
  const sets: Record<string, Record<string, number | null>> = {};
  const common: Record<string, number | null> = {};
  const evidence: Record<string, object> = {};
  for (const { set, name, figure, unit, note } of rows) {
    const value = figure.value === null ? null : round(figure.value, 3);
    if (set === "all") common[name] = value;
    else {
      sets[set] ??= {};
      sets[set][name] = value;
    }
    const interval = figure.interval && { low: round(figure.interval.low, 3), high: round(figure.interval.high, 3) };
    evidence[set === "all" ? name : `${set}.${name}`] = {
      n: round(figure.n, 3),
      of: figure.of,
      unit,
      ...interval,
      ...(note && { note }),
    };
  }
  const promised = rows.filter(({ target }) => target);
  const missed = promised.filter((row) => verdict(row) === false);
  const open = promised.filter((row) => verdict(row) === null);
  const named = (list: readonly Row[]) => list.map(({ set, name }) => (set === "all" ? name : `${set}.${name}`));
  const verdicts = [
    `targets met: ${promised.length - missed.length - open.length} of ${promised.length}`,
    ...(missed.length > 0 ? [`MISSED: ${named(missed).join(", ")}`] : []),
    ...(open.length > 0 ? [`not measured: ${named(open).join(", ")}`] : []),
  ];
  return {
    table: `${table(lines(rows))}\n\n${verdicts.join("\n")}`,
    figures: { ...facts, sets, ...common, missed: named(missed), not_measured: named(open), evidence },
    passed: missed.length === 0 && (!whole || open.length === 0),
  };
}

/** The table's rows, its head first; a figure without a sample is shown only when it is promised. */
export function lines(rows: readonly Row[]): string[][] {
  const shown = rows.filter(({ figure, target }) => figure.n > 0 || target);
  return [["set", "figure", "value", "95 % interval", "sample", "target", ""], ...shown.map(cells)];
}

function cells(row: Row): string[] {
  const { set, name, figure, unit, target, note } = row;
  const places = unit === "ms" ? 0 : 2;
  const suffix = unit === "%" || unit === "ms" ? ` ${unit}` : "";
  const shown = (value: number) => `${value.toFixed(places)}${suffix}`;
  const kept = verdict(row);
  return [
    set,
    note ? `${name} (${note})` : name,
    figure.value === null ? "—" : shown(figure.value),
    figure.interval ? `${figure.interval.low.toFixed(places)} to ${figure.interval.high.toFixed(places)}` : "",
    `${Number.isInteger(figure.n) ? figure.n : figure.n.toFixed(2)} ${figure.of}`,
    target ? (target.most !== undefined ? `≤ ${target.most}` : `≥ ${target.least}`) : "",
    kept === null ? (target ? "not measured" : "") : kept ? "met" : "MISSED",
  ];
}
