import { Counter, Histogram, type Registry } from "../process/metrics.ts";
import type { UpstreamClient } from "../upstream/clients.ts";
import type { Answered } from "./ask.ts";
import type { Group } from "./types.ts";

export interface UnderstandingMetrics {
  modules: Counter<"module" | "outcome">;
  tokens: Counter<"group" | "direction">;
  cost: Counter<"group">;
  questions: Counter<"group" | "outcome">;
  seconds: Histogram<"group">;
}

/** What models are asked for: a group of modules, or a vote on roles. */
export type Matter = Group | "roles";

/** An answer's tokens and what they cost where the server's settings say it, whether it can be believed or not. */
export function accountFor(
  { tokens, cost }: Pick<UnderstandingMetrics, "tokens" | "cost">,
  group: Matter,
  { settings }: Pick<UpstreamClient, "settings">,
  { promptTokens, completionTokens }: Pick<Answered, "promptTokens" | "completionTokens">,
): void {
  tokens.inc({ group, direction: "prompt" }, promptTokens);
  tokens.inc({ group, direction: "completion" }, completionTokens);
  const { prompt = 0, completion = 0 } = settings.cost ?? {};
  cost.inc({ group }, (promptTokens * prompt + completionTokens * completion) / 1e6);
}

export function createUnderstandingMetrics(registry: Registry): UnderstandingMetrics {
  const registers = [registry];
  return {
    modules: new Counter({
      name: "escriba_understanding_modules_total",
      help: "Modules asked for, by what became of them: delivered, failed (no answer could be believed), unavailable.",
      labelNames: ["module", "outcome"],
      registers,
    }),
    tokens: new Counter({
      name: "escriba_understanding_tokens_total",
      help: "Tokens that understanding took, as the server counted them.",
      labelNames: ["group", "direction"],
      registers,
    }),
    cost: new Counter({
      name: "escriba_understanding_cost_eur_total",
      help: "Their cost, where ESCRIBA_UPSTREAMS says what a token costs.",
      labelNames: ["group"],
      registers,
    }),
    questions: new Counter({
      name: "escriba_understanding_questions_total",
      help: "Questions to the model: believed (all that was asked for), doubted (something is asked for again), unanswered.",
      labelNames: ["group", "outcome"],
      registers,
    }),
    seconds: new Histogram({
      name: "escriba_understanding_seconds",
      help: "One group of one transcript, all questions and tries.",
      labelNames: ["group"],
      buckets: [0.5, 1, 2, 5, 10, 20, 40, 80, 160, 320, 640],
      registers,
    }),
  };
}
