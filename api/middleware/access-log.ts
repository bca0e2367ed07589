import type { Logger } from "../../process/log.ts";
import type { Registry } from "../../process/metrics.ts";
import { Counter, Gauge, Histogram } from "../../process/metrics.ts";
import type { Observer } from "./request-context.ts";

/** nginx's figure for "the client went before the answer"; never sent, only counted. */
export const CLIENT_GONE = 499;

/** Seconds. Reads take milliseconds, uploads minutes. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60, 600];

/** One log line and one observation a request: no header, no query, no body, so no secret and no caller's words. */
export function createAccessLog(log: Logger, registry: Registry): Observer {
  const duration = new Histogram({
    name: "escriba_http_request_duration_seconds",
    help: "Time from the request's headers to the end of the response.",
    labelNames: ["route", "method", "status"],
    buckets: BUCKETS,
    registers: [registry],
  });
  let inFlight = 0;
  new Gauge({
    name: "escriba_http_requests_in_flight",
    help: "Requests being answered.",
    registers: [registry],
    collect() {
      this.set(inFlight);
    },
  });
  const errors = new Counter({
    name: "escriba_http_errors_total",
    help: "Error answers by code.",
    labelNames: ["route", "code"],
    registers: [registry],
  });

  return {
    begun() {
      inFlight += 1;
    },
    over(state, { method, res }) {
      inFlight -= 1;
      const elapsed = performance.now() - state.started;
      const status = state.left ? CLIENT_GONE : res.statusCode;
      duration.observe({ route: state.route, method, status: String(status) }, elapsed / 1000);
      if (state.errorCode) errors.inc({ route: state.route, code: state.errorCode });
      const level = status >= 500 ? "error" : "info";
      if (!log.isLevelEnabled(level)) return;
      const line = {
        request_id: state.requestId,
        method,
        route: state.route,
        status,
        duration_ms: Math.round(elapsed * 100) / 100,
        ...(state.errorCode ? { code: state.errorCode } : {}),
        ...(state.key ? { organization_id: state.key.organizationId, key_id: state.key.keyId } : {}),
      };
      log[level](line, "request");
    },
  };
}
