import { Counter, Histogram, type Registry } from "../../../process/metrics.ts";

/** `cut`: the client left. `broken`: the upstream, or our own end, came before the answer's. */
export type ChatOutcome = "completed" | "cut" | "broken";

export interface ChatMetrics {
  answers: Counter<"model" | "stream" | "outcome">;
  tokens: Counter<"model" | "kind">;
  firstChunk: Histogram<"model">;
  unsettled: Counter;
}

export function createChatMetrics(registry: Registry): ChatMetrics {
  const registers = [registry];
  return {
    answers: new Counter({
      name: "escriba_chat_answers_total",
      help: "Chat answers that an upstream began, by how they ended.",
      labelNames: ["model", "stream", "outcome"],
      registers,
    }),
    tokens: new Counter({
      name: "escriba_chat_tokens_total",
      help: "Tokens charged, prompt and completion.",
      labelNames: ["model", "kind"],
      registers,
    }),
    firstChunk: new Histogram({
      name: "escriba_chat_first_chunk_seconds",
      help: "From the checked request to the upstream's first chunk.",
      labelNames: ["model"],
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 540],
      registers,
    }),
    unsettled: new Counter({
      name: "escriba_chat_unsettled_total",
      help: "Answers given that could not be charged, because the database did not answer.",
      registers,
    }),
  };
}
