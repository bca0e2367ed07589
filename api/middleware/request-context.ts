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
  /** When the request's headers were here, by performance.now(). */
  readonly started: number;
  /** The client has gone before the answer. */
  readonly left: boolean;
  /** Aborted when it goes, with ClientGone. */
  signal: AbortSignal;
}

export type Context = ParameterizedContext<RequestState>;
export type Step = Middleware<RequestState>;

/** Who counts requests: `over` is when a response's last byte was handed to the system, or its client has gone. */
export interface Observer {
  begun(): void;
  over(state: RequestState, context: Context): void;
}

export function requestContext(log: Logger, observer: Observer): Step {
  return (context, next) => {
    observer.begun();
    const state = new State(log, createRequestId());
    context.state = state;
    const { res } = context;
    res.on("close", () => {
      if (!res.writableFinished) state.leave();
      observer.over(state, context);
    });
    context.set(requestIdHeaders(state.requestId));
    return next();
  };
}

/** Logger and signal are made when they are asked for: most requests need neither, and both cost microseconds. */
class State implements RequestState {
  readonly requestId: string;
  readonly started = performance.now();
  route = "unmatched";
  key?: Principal;
  errorCode?: ErrorCode;
  readonly #parent: Logger;
  #log: Logger | undefined;
  #gone: AbortController | undefined;
  left = false;

  constructor(parent: Logger, requestId: string) {
    this.#parent = parent;
    this.requestId = requestId;
  }

  get log(): Logger {
    this.#log ??= this.#parent.child({ request_id: this.requestId });
    return this.#log;
  }

  get signal(): AbortSignal {
    if (!this.#gone) {
      this.#gone = new AbortController();
      if (this.left) this.#gone.abort(new ClientGone());
    }
    return this.#gone.signal;
  }

  leave(): void {
    this.left = true;
    this.#gone?.abort(new ClientGone());
  }
}

/** Nobody is left to answer. */
export class ClientGone extends Error {
  override name = "ClientGone";
  constructor() {
    super("the client closed the connection");
  }
}
