import type { Company } from "./company.ts";

/** What the parts of the benchmark share. */
export interface Bench {
  company: Company;
  runs: number;
  threads: number;
  cache: string;
  say: (line: string) => void;
}

/** A part's figures, its table, and why a figure is null. */
export interface PartReport {
  figures: Record<string, unknown>;
  table: string;
  reasons?: Record<string, string>;
}
