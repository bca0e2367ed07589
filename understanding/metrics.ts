import { Counter, Histogram, type Registry } from "../process/metrics.ts";

export interface UnderstandingMetrics {
  modules: Counter<"module" | "outcome">;
  tokens: Counter<"group" | "direction">;
  cost: Counter<"group">;
  questions: Counter<"group" | "outcome">;
  seconds: Histogram<"group">;
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
      help: "Questions to the model: believed (every module asked for), doubted (a module is asked for again), unanswered.",
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
