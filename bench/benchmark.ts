import { join } from "node:path";
import type { ParseArgsOptionsConfig } from "node:util";
import { userCache } from "../process/user-cache.ts";

/** What `npm run bench -- NAME` runs. */
export interface Benchmark {
  /** One line for the list of benchmarks. */
  summary: string;
  help: string;
  options: ParseArgsOptionsConfig;
  run(options: Record<string, string | undefined>, say: (line: string) => void): Promise<Outcome>;
}

export interface Outcome {
  /** For people. */
  table: string;
  /** For programs. */
  figures: Record<string, unknown>;
  /** Whether the targets that this benchmark states are met. */
  passed: boolean;
}

/** Where fetched and made things are kept: the XDG cache directory, as for models. */
export const cacheDirectory = (env = process.env) => join(userCache(env), "bench");

/** A whole number from the command line. Throws with the option's name. */
export function wholeNumber(options: Record<string, string | undefined>, name: string, fallback: number): number {
  const text = options[name];
  if (text === undefined) return fallback;
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new Error(`--${name} wants a whole number of at least 1`);
  return number;
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) throw new Error("no values");
  return sorted.length % 2
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

export function round(value: number, places: number): number {
  return Number(value.toFixed(places));
}

/** Columns as wide as their widest cell; the first row is the head. */
export function table(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
