import type { UpstreamClient } from "../upstream/clients.ts";
import { PROMPT_VERSION } from "./prompts/version.ts";
import type { Call, Group, GroupMetrics, GroupResult, Module, Request } from "./types.ts";

export interface Understanding {
  /** The model's server; undefined when none is configured. */
  client: UpstreamClient | undefined;
  signal: AbortSignal;
}

/** What one group is asked about a call. */
export interface Asked {
  call: Call;
  group: Group;
  modules: readonly Module[];
  request: Request;
}

/**
 * The modules of one group. Never rejects for what a model or its server does: a module that could not be had is named
 * in the warnings. Rejects with the signal's reason.
 */
export async function understandGroup({ modules }: Asked, { signal }: Understanding): Promise<GroupResult> {
  signal.throwIfAborted();
  return withoutModel(modules);
}

/** Nobody to ask. */
export function withoutModel(modules: readonly Module[]): GroupResult {
  return {
    results: {},
    delivered: [],
    warnings: modules.map((module) => `module_unavailable:${module}`),
    metrics: NOTHING_SPENT,
  };
}

const NOTHING_SPENT: GroupMetrics = { seconds: 0, promptTokens: 0, completionTokens: 0, promptVersion: PROMPT_VERSION };
