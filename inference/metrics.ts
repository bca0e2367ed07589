import { Counter, createRegistry, Gauge, Histogram, type Registry } from "../process/metrics.ts";
import type { Slots } from "./slots.ts";

export type Kind = "chat" | "embeddings";

export interface Metrics {
  registry: Registry;
  requests: Counter<"kind" | "status">;
  seconds: Histogram<"kind">;
  firstTokenSeconds: Histogram;
  tokens: Counter<"kind" | "direction">;
}

/** What a kind of work shows of itself whenever it is asked. */
export interface Watched {
  slots: Slots;
  /** Memory of the process that holds the model, as of its last answer; 0 when there is none. */
  residentBytes(): number;
}

export function createMetrics(watched: Record<Kind, Watched>): Metrics {
  const registry = createRegistry("inference");
  const registers = [registry];
  const gauge = (name: string, help: string, value: (watched: Watched) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ["kind"],
      registers,
      collect() {
        for (const [kind, one] of Object.entries(watched)) this.set({ kind }, value(one));
      },
    });
  gauge("escriba_inference_queue_depth", "Requests that wait for a slot.", ({ slots }) => slots.waiting);
  gauge("escriba_inference_running", "Requests being worked on.", ({ slots }) => slots.running);
  gauge(
    "escriba_inference_model_resident_bytes",
    "Memory of the process that holds the model, as of its last answer.",
    (one) => one.residentBytes(),
  );
  return {
    registry,
    requests: new Counter({
      name: "escriba_inference_requests_total",
      help: "Requests by the status they were answered with; 499 is a client that left.",
      labelNames: ["kind", "status"],
      registers,
    }),
    seconds: new Histogram({
      name: "escriba_inference_request_seconds",
      help: "From a request's body to the end of its answer, queueing included.",
      labelNames: ["kind"],
      buckets: [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300],
      registers,
    }),
    firstTokenSeconds: new Histogram({
      name: "escriba_inference_first_token_seconds",
      help: "From a chat's body to the first of its answer, queueing included.",
      buckets: [0.03, 0.1, 0.3, 1, 3, 10, 30, 100],
      registers,
    }),
    tokens: new Counter({
      name: "escriba_inference_tokens_total",
      help: "Tokens read and written in answers that were finished.",
      labelNames: ["kind", "direction"],
      registers,
    }),
  };
}
