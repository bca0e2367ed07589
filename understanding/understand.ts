import type { Logger } from "../process/log.ts";
import type { UpstreamClient } from "../upstream/clients.ts";
import { Conversation } from "./conversation.ts";
import { Evidence } from "./evidence.ts";
import type { UnderstandingMetrics } from "./metrics.ts";
import { separateOrders } from "./orders.ts";
import { PROMPT_VERSION } from "./prompts/version.ts";
import { type AnyReader, readersOf } from "./readers.ts";
import { Sources } from "./sources.ts";
import { linesOf } from "./transcript.ts";
import type { Call, Group, GroupResult, Module, Request, Results } from "./types.ts";

export interface Understanding {
  /** The model's server; undefined when none is configured. */
  client: UpstreamClient | undefined;
  signal: AbortSignal;
  log: Logger;
  metrics: UnderstandingMetrics;
  /** 0 to 1; makes marks in prompts unguessable. */
  random: () => number;
  /** Milliseconds of a clock that never goes back. */
  now: () => number;
  /** What is not there after so many milliseconds is not waited for. */
  patienceMs?: number | undefined;
}

export interface WithModel extends Understanding {
  client: UpstreamClient;
}

/** What one group is asked about a call. */
export interface Asked {
  call: Call;
  /** Whether the roles may be relied on (interface, 2.8, reliability rule). */
  rolesUsable: boolean;
  group: Group;
  modules: readonly Module[];
  request: Request;
}

/** Why a module has no result. */
export type Missing = "failed" | "unavailable";

/**
 * The modules of one group. Never rejects for what a model or its server does: a module that could not be had is named
 * in the warnings, and then nowhere else. Rejects with the signal's reason.
 */
export async function understandGroup(asked: Asked, parts: Understanding): Promise<GroupResult> {
  const { group, modules, request } = asked;
  const { metrics, now, signal } = parts;
  signal.throwIfAborted();
  const started = now();
  const call = { ...asked.call, utterances: asked.rolesUsable ? asked.call.utterances : withoutRoles(asked.call) };
  const { readers, conversation } = prepare(call, asked, parts);
  const found = conversation ? await conversation.hold(readers) : new Map<Module, unknown>();
  const result: GroupResult = {
    results: {},
    delivered: [],
    warnings:
      modules.includes("topic_detection") && request.topic_detection?.taxonomy === "iab"
        ? ["taxonomy_unavailable:iab"]
        : [],
    metrics: { seconds: (now() - started) / 1_000, ...tokensOf(conversation), promptVersion: PROMPT_VERSION },
  };
  for (const module of modules) {
    const value = found.get(module);
    const missing = value === undefined ? (conversation?.missing.get(module) ?? "unavailable") : null;
    metrics.modules.inc({ module, outcome: missing ?? "delivered" });
    if (missing) result.warnings.push(`module_${missing}:${module}`);
    else {
      result.delivered.push(module);
      if (module === "pii_redaction") result.pii = value as NonNullable<GroupResult["pii"]>;
      else (result.results as Record<string, unknown>)[module] = value as Results[keyof Results];
    }
  }
  metrics.seconds.observe({ group }, result.metrics.seconds);
  return result;
}

function prepare(
  call: Call,
  { group, modules, request }: Asked,
  parts: Understanding,
): { readers: Map<Module, AnyReader>; conversation: Conversation | null } {
  const { client } = parts;
  if (!client || !call.utterances.some(({ text }) => text.trim() !== ""))
    return { readers: new Map(), conversation: null };
  const { clean, suspect, firm, certain } = separateOrders(call);
  const reading = {
    call: clean,
    evidence: new Evidence(clean.utterances),
    suspect: suspect && new Evidence(suspect.utterances),
    firm,
    certain,
    sources: new Sources(clean),
    request,
  };
  const readers = readersOf(modules, { reading, call, suspect });
  const lines = linesOf(clean.utterances);
  // What people said to machines is no topic, but it may hold a name or a threat.
  const apart =
    group === "insight" || !suspect ? [] : linesOf(suspect.utterances).map((line) => ({ ...line, suspect: true }));
  const said = (some: typeof lines) => some.filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
  const conversation = new Conversation(
    { ...parts, client },
    { group, language: call.language, lines: said(lines), apart: said(apart) },
  );
  return { readers, conversation };
}

function withoutRoles({ utterances }: Call): Call["utterances"] {
  return utterances.map((turn) => ({ ...turn, speakerRole: null }));
}

function tokensOf(conversation: Conversation | null) {
  const { promptTokens = 0, completionTokens = 0 } = conversation?.correspondent ?? {};
  return { promptTokens, completionTokens };
}
