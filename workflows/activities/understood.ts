import type { Redaction } from "../../understanding/pii/redact.ts";
import { GROUPS, type Group, type GroupResult, type Module } from "../../understanding/types.ts";

/** What the three groups brought together, as it is stored and billed. */
export interface AllUnderstood {
  understanding: Record<string, unknown>;
  pii: Redaction | null;
  delivered: Module[];
  warnings: string[];
  seconds: number;
  promptVersion: string | null;
}

/**
 * Merges the groups' results. Holds whatever the groups say: a module named in a warning is neither shown nor billed, one
 * that nobody asked for is neither, and one that was asked for and is missing is named (interface, 2.8).
 */
export function mergeUnderstood(requested: readonly string[], groups: readonly GroupResult[]): AllUnderstood {
  const warnings = [...new Set(groups.flatMap((group) => group.warnings))];
  const delivered = groups
    .flatMap((group) => group.delivered)
    .filter((module) => requested.includes(module) && !warnings.some((warning) => warning.endsWith(`:${module}`)));
  const results: Record<string, unknown> = Object.assign({}, ...groups.map((group) => group.results));
  const missing = requested.filter(
    (module) => !delivered.includes(module as Module) && !warnings.some((warning) => warning.endsWith(`:${module}`)),
  );
  return {
    understanding: Object.fromEntries(
      Object.entries(results).filter(([module]) => delivered.includes(module as Module)),
    ),
    pii: delivered.includes("pii_redaction") ? (groups.find(({ pii }) => pii)?.pii ?? null) : null,
    delivered,
    warnings: [...warnings, ...missing.map((module) => `module_unavailable:${module}`)],
    seconds: groups.reduce((sum, { metrics }) => sum + metrics.seconds, 0),
    promptVersion: groups[0]?.metrics.promptVersion ?? null,
  };
}

export const GROUP_NAMES = Object.keys(GROUPS) as Group[];
