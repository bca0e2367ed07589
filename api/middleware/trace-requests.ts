import type { Span } from "../../process/tracing/otlp.ts";
import { newTrace, readTraceparent } from "../../process/tracing/trace-context.ts";
import type { Tracer } from "../../process/tracing/tracer.ts";
import { CLIENT_GONE } from "./access-log.ts";
import type { Observer } from "./request-context.ts";

/** A span a request beside what `observer` notes of it, in the caller's trace where it names one (`traceparent`). */
export function traceRequests(tracer: Tracer | undefined, observer: Observer): Observer {
  if (!tracer) return observer;
  return {
    begun: () => observer.begun(),
    over(state, context) {
      observer.over(state, context);
      const trace = readTraceparent(context.get("traceparent") || undefined);
      if (trace === null) return;
      const status = state.left ? CLIENT_GONE : context.res.statusCode;
      const end = Date.now();
      const span: Span = {
        trace: trace ?? newTrace(),
        name: `${context.method} ${state.route}`,
        kind: "server",
        start: end - (performance.now() - state.started),
        end,
        attributes: {
          "http.request.method": context.method,
          "http.route": state.route,
          "http.response.status_code": status,
          "escriba.request_id": state.requestId,
          ...(state.key && { "escriba.organization_id": state.key.organizationId }),
        },
      };
      tracer.record(status >= 500 ? { ...span, error: state.errorCode ?? String(status) } : span);
    },
  };
}
