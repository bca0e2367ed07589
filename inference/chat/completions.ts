import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { sendJson } from "../http.ts";
import type { Metrics } from "../metrics.ts";
import type { ChatEngine } from "./engine.ts";
import type { ChatResult, Piece, Tokens } from "./protocol.ts";
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
  const stream = request.stream ? new ChunkStream(response, about, usageWanted(request)) : undefined;
  const firstToken = metrics.firstTokenSeconds.startTimer();
  let content = "";
  const result = await engine.answer(chatCall(request, random), {
    signal,
    onText(piece) {
      if (content === "") firstToken();
      content += piece.text;
      stream?.text(piece);
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

/** When a stream carries usage: in a chunk of its own at the end, or in every chunk besides (vLLM's extension). */
type UsageWanted = "never" | "at the end" | "always";

function usageWanted({ stream_options: options }: ChatRequest): UsageWanted {
  if (!options?.include_usage) return "never";
  return options.continuous_usage_stats ? "always" : "at the end";
}

function usageOf({ promptTokens, completionTokens }: Tokens) {
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
  readonly #usage: UsageWanted;

  constructor(response: ServerResponse, about: object, usage: UsageWanted) {
    this.#response = response;
    this.#about = about;
    this.#usage = usage;
  }

  text({ text: content, ...tokens }: Piece): void {
    this.#begin(tokens);
    this.#choice({ content }, null, tokens);
  }

  end({ finishReason, ...tokens }: ChatResult): void {
    this.#begin(tokens);
    this.#choice({}, finishReason, tokens);
    if (this.#usage !== "never") this.#send({ choices: [], usage: usageOf(tokens) });
    this.#response.end("data: [DONE]\n\n");
  }

  #begin(tokens: Tokens): void {
    if (this.#response.headersSent) return;
    this.#response.writeHead(200, { "Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-cache" });
    this.#choice({ role: "assistant", content: "" }, null, { ...tokens, completionTokens: 0 });
  }

  #choice(delta: object, finish_reason: string | null, tokens: Tokens): void {
    const usage = this.#usage === "always" ? usageOf(tokens) : null;
    this.#send({
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
      ...(this.#usage !== "never" && { usage }),
    });
  }

  #send(chunk: object): void {
    this.#response.write(`data: ${JSON.stringify({ ...this.#about, object: "chat.completion.chunk", ...chunk })}\n\n`);
  }
}
