import type { Middleware, ParameterizedContext } from "koa";
import type { Logger } from "../../process/log.ts";
import type { ErrorCode } from "../errors/table.ts";
import { createRequestId, requestIdHeaders } from "../request-id.ts";
import type { Principal } from "./authenticate.ts";

/** What middleware hands on. Set here, so every response of any status carries the id. */
export interface RequestState {
  requestId: string;
  log: Logger;
  /** Route template, e.g. `/v1/files/{id}`; "unmatched" until the router knows better. Bounded, so fit for a label. */
  route: string;
  key?: Principal;
  /** Code of the error answered, for the log and the metrics. */
  errorCode?: ErrorCode;
  /** Aborted when the client has gone before the answer. */
  signal: AbortSignal;
}

export type Context = ParameterizedContext<RequestState>;
export type Step = Middleware<RequestState>;

export function requestContext(log: Logger): Step {
  return (context, next) => {
    const requestId = createRequestId();
    const gone = new AbortController();
    context.state = {
      requestId,
      log: log.child({ request_id: requestId }),
      route: "unmatched",
      signal: gone.signal,
    };
    context.res.once("close", () => {
      if (!context.res.writableFinished) gone.abort(new ClientGone());
    });
    context.set(requestIdHeaders(requestId));
    return next();
  };
}

/** Nobody is left to answer. */
export class ClientGone extends Error {
  override name = "ClientGone";
  constructor() {
    super("the client closed the connection");
  }
}
