import { hostname } from "node:os";
import type { Logger } from "../log.ts";
import { Counter, type Registry } from "../metrics.ts";
import { type Span, traceRequest } from "./otlp.ts";
import type { TracingSettings } from "./settings.ts";
import { isKept } from "./trace-context.ts";

/** Takes spans and sends them on when there is time; never waits, and never fails whoever hands them over. */
export interface Tracer {
  record(span: Span): void;
  /** Sends what is left, as far as the collector takes it. */
  close(): Promise<void>;
}

/** Spans in one request; a collector refuses bodies of several megabytes. */
const BATCH = 256;
/** Spans that wait while the collector does not answer; more are dropped, and counted. */
const WAITING = 4_096;
const SEND_MS = 2_000;
const TIMEOUT_MS = 10_000;

export interface TracerParts {
  /** e.g. `escriba-api`. */
  service: string;
  log: Logger;
  registry: Registry;
  fetch?: typeof fetch;
}

/** Of every process that can make traces, whether it does or not. */
export function createTracingMetrics(registry: Registry): Counter<"outcome"> {
  return new Counter({
    name: "escriba_trace_spans_total",
    help: "Spans of traces, by what became of them: sent, refused (the collector did not take them), dropped (too many waited).",
    labelNames: ["outcome"],
    registers: [registry],
  });
}

/** Undefined when the settings name no collector. */
export function createTracer(
  settings: TracingSettings,
  { service, log, registry, ...parts }: TracerParts,
): Tracer | undefined {
  const { ESCRIBA_OTLP_ENDPOINT: endpoint, ESCRIBA_OTLP_HEADERS: headers, ESCRIBA_TRACE_RATIO: ratio } = settings;
  const spans = createTracingMetrics(registry);
  if (endpoint === "") return undefined;
  const url = `${endpoint.replace(/\/+$/, "")}/v1/traces`;
  const send = parts.fetch ?? fetch;
  const waiting: Span[] = [];
  let sending = Promise.resolve();
  let told = false;

  /** Answers whether the collector took it. */
  const sendBatch = async (batch: Span[]): Promise<boolean> => {
    try {
      const answer = await send(url, {
        method: "POST",
        headers: { ...headers, "Content-Type": "application/json" },
        body: JSON.stringify(traceRequest(service, hostname(), batch)),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await answer.body?.cancel();
      if (!answer.ok) throw new Error(`the collector answered ${answer.status}`);
      spans.inc({ outcome: "sent" }, batch.length);
      told = false;
      return true;
    } catch (error) {
      spans.inc({ outcome: "refused" }, batch.length);
      // Once until it works again: a collector that is away is away for many batches.
      if (!told) log.warn({ err: error, url }, "traces are not taken");
      told = true;
      return false;
    }
  };
  const flush = (): Promise<void> => {
    sending = sending.then(async () => {
      while (waiting.length > 0) await sendBatch(waiting.splice(0, BATCH));
    });
    return sending;
  };
  const timer = setInterval(() => void flush(), SEND_MS).unref();

  return {
    record(span) {
      if (!isKept(span.trace, ratio)) return;
      if (waiting.length >= WAITING) {
        spans.inc({ outcome: "dropped" });
        return;
      }
      waiting.push(span);
      if (waiting.length === BATCH) void flush();
    },
    async close() {
      clearInterval(timer);
      await sending;
      // A collector that is away must not hold up the end of the process: the first refusal ends the tries.
      while (waiting.length > 0 && (await sendBatch(waiting.splice(0, BATCH))));
      spans.inc({ outcome: "dropped" }, waiting.length);
    },
  };
}
