import { newSpanId, type TraceContext } from "./trace-context.ts";

/** A piece of work that is over. */
export interface Span {
  trace: TraceContext;
  /** e.g. `POST /v1/files`, `recognise`: few different ones. */
  name: string;
  kind: "server" | "consumer";
  /** Epoch milliseconds, with fractions. */
  start: number;
  end: number;
  /** Never a caller's words. */
  attributes: Record<string, string | number | boolean>;
  /** Code of what failed; absent when nothing did. */
  error?: string;
}

/** Numbers of OTLP's SpanKind and StatusCode. */
const KIND = { server: 2, consumer: 5 } as const;
const ERROR = 2;

/** The body of `POST /v1/traces` in OTLP's JSON form (opentelemetry-proto 1.x): ids in hexadecimal, 64-bit numbers as text. */
export function traceRequest(service: string, instance: string, spans: readonly Span[]): object {
  return {
    resourceSpans: [
      {
        resource: { attributes: attributes({ "service.name": service, "service.instance.id": instance }) },
        scopeSpans: [{ scope: { name: "escriba" }, spans: spans.map(spanJson) }],
      },
    ],
  };
}

function spanJson({ trace, name, kind, start, end, attributes: about, error }: Span): object {
  return {
    traceId: trace.traceId,
    spanId: newSpanId(),
    ...(trace.parentId && { parentSpanId: trace.parentId }),
    name,
    kind: KIND[kind],
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: nanoseconds(Math.max(start, end)),
    attributes: attributes(about),
    ...(error !== undefined && { status: { code: ERROR, message: error } }),
  };
}

const nanoseconds = (ms: number) => String(BigInt(Math.round(ms * 1_000)) * 1_000n);

function attributes(values: Span["attributes"]): object[] {
  return Object.entries(values).map(([key, value]) => ({
    key,
    value:
      typeof value === "string"
        ? { stringValue: value }
        : typeof value === "boolean"
          ? { boolValue: value }
          : Number.isInteger(value)
            ? { intValue: String(value) }
            : { doubleValue: value },
  }));
}
