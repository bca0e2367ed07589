import type { Step } from "./request-context.ts";

/** `/livez` and `/readyz` on the clients' port too, for load balancers that reach no other. */
export function health(ready: () => Promise<void>): Step {
  return async (context, next) => {
    if (context.method !== "GET" && context.method !== "HEAD") return next();
    if (context.path === "/livez") {
      context.state.route = "/livez";
      context.body = "ok\n";
    } else if (context.path === "/readyz") {
      context.state.route = "/readyz";
      try {
        await ready();
        context.body = "ok\n";
      } catch {
        // Which part is missing is told on the metrics port, not to clients.
        context.status = 503;
        context.body = "not ready\n";
      }
    } else {
      return next();
    }
  };
}
