import { StringDecoder } from "node:string_decoder";
import { createParser, ParseError } from "eventsource-parser";
import { type ChatChunk, ErrorEvent, parseChunk, parseJson } from "./chunk.ts";
import { type Reason, UpstreamBroken, UpstreamRefused, UpstreamUnavailable } from "./errors.ts";
import { errorIn, isContextLength } from "./refusal.ts";
import type { Timing } from "./timing.ts";
import type { Begun } from "./transport.ts";

/**
 * A chat answer whose first chunk is here. Iterate once. Chunks are read as they are asked for: a slow reader slows the
 * upstream. Ends when a chunk has carried `finish_reason`, and usage has followed or been waited for. Throws UpstreamBroken
 * for every other end of the upstream's, the signal's reason for the caller's. Leaving the loop closes the upstream's connection at once.
 */
export interface ChatStream extends AsyncIterable<ChatChunk> {
  /** For a stream that is not iterated after all. */
  cancel(): void;
}

export type StreamEnd = "ok" | "broken" | "cut";

/**
 * Resolves when the first chunk has come. Rejects with UpstreamUnavailable (or UpstreamRefused, for a server that says
 * it in its stream) when none comes.
 */
export async function openChatStream(
  begun: Begun,
  options: { timing: Timing; signal: AbortSignal; onEnd(end: StreamEnd): void },
): Promise<ChatStream> {
  const events = new Events(begun, options.timing);
  try {
    while (events.queue.length === 0 && !events.over) await events.read();
    if (events.queue.length === 0) throw new UpstreamBroken("closed");
  } catch (error) {
    begun.reply.destroy();
    if (options.signal.aborted) throw options.signal.reason;
    if (error instanceof ErrorEvent && error.contextLength) throw new UpstreamRefused("context_length", 400);
    throw new UpstreamUnavailable(reasonOf(error), { cause: error });
  }
  begun.reply.calm();
  let ended = false;
  const end = (how: StreamEnd) => {
    if (ended) return;
    ended = true;
    if (how === "ok") begun.reply.finish();
    else begun.reply.destroy();
    options.onEnd(how);
  };
  return {
    cancel: () => end("cut"),
    [Symbol.asyncIterator]: () => chunks(events, options, end),
  };
}

async function* chunks(
  events: Events,
  { timing, signal }: { timing: Timing; signal: AbortSignal },
  end: (how: StreamEnd) => void,
): AsyncGenerator<ChatChunk, void, undefined> {
  const { reply } = events;
  let finished = false;
  let broken: unknown;
  try {
    for (;;) {
      for (const chunk of events.take()) {
        finished ||= chunk.finishReason !== null;
        yield chunk;
      }
      if (events.over) {
        if (!finished) throw new UpstreamBroken("closed");
        break;
      }
      // Only while we wait for the upstream: the time that our reader takes is not the upstream's silence.
      reply.watch(finished ? timing.usageMs : timing.silenceMs);
      while (events.queue.length === 0 && !events.over) await events.read();
      reply.calm();
    }
  } catch (error) {
    broken = error;
  } finally {
    // Also reached when the reader leaves the loop.
    const left = broken === undefined && !events.over;
    end(signal.aborted || left ? "cut" : broken !== undefined && !finished ? "broken" : "ok");
  }
  if (signal.aborted && broken !== undefined) throw signal.reason;
  // The text is whole; what is missing is its usage, which is counted here then.
  if (broken !== undefined && !finished) throw new UpstreamBroken(reasonOf(broken), broken);
}

/** Bytes of server-sent events to parsed chunks. */
class Events {
  queue: ChatChunk[] = [];
  /** After `[DONE]`, or the end of the body. */
  over = false;
  readonly reply: Begun["reply"];
  readonly #decoder = new StringDecoder("utf8");
  readonly #parser: ReturnType<typeof createParser>;
  readonly #maxBytes: number;
  #first: Buffer | null;
  #bytes = 0;
  #failure: unknown;

  constructor({ reply, first }: Begun, { maxEventBytes, maxAnswerBytes }: Timing) {
    this.reply = reply;
    this.#first = first;
    this.#maxBytes = maxAnswerBytes;
    this.#parser = createParser({
      maxBufferSize: maxEventBytes,
      onEvent: ({ event, data }) => this.#event(event, data),
      onError: (error) => {
        if (error.type === "max-buffer-size-exceeded") this.#failure ??= error;
      },
    });
  }

  /** What came so far. */
  take(): ChatChunk[] {
    const { queue } = this;
    this.queue = [];
    return queue;
  }

  /** Waits for bytes. A failure among them is thrown by the read after the chunks before it were taken. */
  async read(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    const bytes = this.#first ?? (await this.reply.read());
    this.#first = null;
    if (bytes === null) {
      this.over = true;
      return;
    }
    this.#bytes += bytes.length;
    if (this.#bytes > this.#maxBytes) throw new RangeError("the answer is too long");
    this.#parser.feed(this.#decoder.write(bytes));
    if (this.#failure !== undefined && this.queue.length === 0) throw this.#failure;
  }

  #event(name: string | undefined, data: string): void {
    if (this.over || this.#failure !== undefined) return;
    if (data === "[DONE]") {
      this.over = true;
      return;
    }
    try {
      if (name === "error") throw new ErrorEvent(isContextLength(errorIn(parseJson(data))));
      this.queue.push(parseChunk(data));
    } catch (error) {
      this.#failure = error;
    }
  }
}

function reasonOf(error: unknown): Reason {
  if (error instanceof UpstreamBroken) return error.reason;
  if (error instanceof ErrorEvent) return "server_error";
  const garbage = error instanceof SyntaxError || error instanceof RangeError || error instanceof ParseError;
  return garbage ? "not_an_answer" : "network";
}
