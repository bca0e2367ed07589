import Koa from "koa";
import { documentation } from "./documentation/serve.ts";
import { createAccessLog } from "./middleware/access-log.ts";
import { answerErrors, unknownRoute } from "./middleware/answer-errors.ts";
import { cors } from "./middleware/cors.ts";
import { health } from "./middleware/health.ts";
import { type RequestState, requestContext } from "./middleware/request-context.ts";
import { traceRequests } from "./middleware/trace-requests.ts";
import { createRouter } from "./router.ts";
import type { Services } from "./services.ts";

/** The whole application, outermost first. */
export function createApp(services: Services): Koa<RequestState> {
  const { settings, log, registry } = services;
  const router = createRouter(services);
  const app = new Koa<RequestState>();
  app.on("error", (error: Error, context?: { state?: RequestState }) => {
    // A response that broke while it was being written: its status is out already, so this can only be told here.
    (context?.state?.log ?? log).warn({ err: error }, "response failed");
  });
  app.use(requestContext(log, traceRequests(services.tracer, createAccessLog(log, registry))));
  app.use(answerErrors(settings.ESCRIBA_DOCS_URL));
  if (settings.ESCRIBA_CORS_ORIGIN !== "") app.use(cors(settings.ESCRIBA_CORS_ORIGIN));
  app.use(router.serve);
  app.use(health(services.ready));
  app.use(documentation(settings.ESCRIBA_DOCS_URL));
  app.use(unknownRoute(router.methodsOf));
  return app;
}
