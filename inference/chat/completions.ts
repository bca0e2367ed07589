import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { sendJson } from "../http.ts";
import type { Metrics } from "../metrics.ts";
import type { ChatEngine } from "./engine.ts";
import type { ChatResult } from "./protocol.ts";
import { type ChatRequest, chatCall } from "./request.ts";

export interface CompletionsOptions {
  engine: ChatEngine;
  metrics: Metrics;
  /** The name that answers carry. */
  model: string;
  /** Milliseconds since 1970. */
  now: () => number;
  random: () => number;
}

/** POST /v1/chat/completions, once its body is read. Rejects with RequestError, or the signal's reason. */
export async function answerChat(
  request: ChatRequest,
  response: ServerResponse,
  signal: AbortSignal,
  { engine, metrics, model, now, random }: CompletionsOptions,
): Promise<void> {
  const about = { id: `chatcmpl-${randomUUID()}`, created: Math.floor(now() / 1_000), model };
  const stream = request.stream ? new ChunkStream(response, about, !!request.stream_options?.include_usage) : undefined;
  const firstToken = metrics.firstTokenSeconds.startTimer();
  let content = "";
  const result = await engine.answer(chatCall(request, random), {
    signal,
    onText(text) {
      if (content === "") firstToken();
      content += text;
      stream?.text(text);
    },
  });
  metrics.tokens.inc({ kind: "chat", direction: "prompt" }, result.promptTokens);
  metrics.tokens.inc({ kind: "chat", direction: "completion" }, result.completionTokens);
  if (stream) stream.end(result);
  else {
    sendJson(response, 200, {
      ...about,
      object: "chat.completion",
      choices: [
        { index: 0, message: { role: "assistant", content }, logprobs: null, finish_reason: result.finishReason },
      ],
      usage: usageOf(result),
    });
  }
}

function usageOf({ promptTokens, completionTokens }: ChatResult) {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}

/**
 * Server-sent events. Nothing is sent before the first piece of the answer, so that what goes wrong until then still has
 * a status of its own. A client that reads slowly makes the answer wait in memory: at most a window of tokens.
 */
class ChunkStream {
  readonly #response: ServerResponse;
  readonly #about: object;
  readonly #usage: boolean;

  constructor(response: ServerResponse, about: object, usage: boolean) {
    this.#response = response;
    this.#about = about;
    this.#usage = usage;
  }

  text(content: string): void {
    this.#begin();
    this.#choice({ content }, null);
  }

  end(result: ChatResult): void {
    this.#begin();
    this.#choice({}, result.finishReason);
    if (this.#usage) this.#send({ choices: [], usage: usageOf(result) });
    this.#response.end("data: [DONE]\n\n");
  }

  #begin(): void {
    if (this.#response.headersSent) return;
    this.#response.writeHead(200, { "Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-cache" });
    this.#choice({ role: "assistant", content: "" }, null);
  }

  #choice(delta: object, finish_reason: string | null): void {
    this.#send({ choices: [{ index: 0, delta, logprobs: null, finish_reason }], ...(this.#usage && { usage: null }) });
  }

  #send(chunk: object): void {
    this.#response.write(`data: ${JSON.stringify({ ...this.#about, object: "chat.completion.chunk", ...chunk })}\n\n`);
  }
}
