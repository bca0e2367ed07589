import type { ServerResponse } from "node:http";

/**
 * An answer that is written as it comes, as server-sent events. The status and headers leave with its first bytes, and
 * `write` never rejects: nothing can be said in another way any more.
 */
export class EventStream {
  readonly write: (response: ServerResponse) => Promise<void>;
  constructor(write: (response: ServerResponse) => Promise<void>) {
    this.write = write;
  }
}

/** For proxies that buffer answers unless told otherwise (nginx), and caches. */
export const EVENT_STREAM_HEADERS = { "Cache-Control": "no-cache", "X-Accel-Buffering": "no" };
export const EVENT_STREAM_TYPE = "text/event-stream; charset=utf-8";

/** Resolves when a response that said "enough" takes more, or is closed. */
export function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const over = () => {
      response.off("drain", over).off("close", over);
      resolve();
    };
    response.on("drain", over).on("close", over);
    if (response.closed || !response.writableNeedDrain) over();
  });
}
