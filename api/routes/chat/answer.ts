import type { UsageSettlement } from "../../../billing/usage.ts";
import type { IdempotencyLease } from "../../../storage/idempotency.ts";
import { newChatCompletionId } from "../../../storage/ids.ts";
import type { ChatStream } from "../../../upstream/chat-stream.ts";
import type { ChatChunk, Usage } from "../../../upstream/chunk.ts";
import type { UpstreamClient } from "../../../upstream/clients.ts";
import { ApiError } from "../../errors/api-error.ts";
import { upstreamError } from "../../errors/upstream.ts";
import { MeteredCall } from "../../metered-call.ts";
import type { ChatHead } from "../../presenters/chat.ts";
import type { Call } from "../../route.ts";
import type { ChatRequestBody } from "../../schemas/chat.ts";
import type { Services } from "../../services.ts";
import type { Ending } from "./ending.ts";
import type { ChatOutcome } from "./metrics.ts";
import { openChat, sizePrompt } from "./prompt.ts";

export type ChatCall = Call<unknown, unknown, ChatRequestBody>;

/** An answer that its upstream has begun and that is paid for: read to its end, then charged or released, once. */
export class ChatAnswer {
  readonly head: ChatHead;
  readonly stream: ChatStream;
  readonly #call: ChatCall;
  readonly #services: Services;
  readonly #client: UpstreamClient;
  readonly #metered: MeteredCall;
  content = "";
  finishReason: ChatChunk["finishReason"] = null;
  #usage: Usage | null = null;

  private constructor(parts: {
    head: ChatHead;
    stream: ChatStream;
    call: ChatCall;
    services: Services;
    client: UpstreamClient;
    metered: MeteredCall;
  }) {
    this.head = parts.head;
    this.stream = parts.stream;
    this.#call = parts.call;
    this.#services = parts.services;
    this.#client = parts.client;
    this.#metered = parts.metered;
  }

  /**
   * Credit, then the upstream up to its first chunk. Throws ApiError (402, 503, 400 for a prompt over the window) or the
   * reason of `ending`; nothing is held then, nor billed.
   */
  static async begin(call: ChatCall, services: Services, ending: Ending): Promise<ChatAnswer> {
    const { body, key } = call;
    const { model } = body;
    const started = performance.now();
    const client = services.upstreams.of(model);
    if (!client)
      throw new ApiError("upstream_unavailable", { cause: new Error(`no upstream is configured for ${model}`) });
    const { bound, maxTokens } = await sizePrompt(body, client);
    const id = newChatCompletionId();
    const metered = await MeteredCall.hold(
      { database: services.database, log: call.log, writtenOff: services.writtenOff, timers: services.timers },
      {
        ...{ id, organizationId: key.organizationId, apiKeyId: key.keyId, kind: "chat", model },
        ...{ promptTokens: bound, completionTokens: maxTokens },
      },
    );
    try {
      const request = {
        messages: body.messages,
        maxTokens,
        temperature: body.temperature,
        reasoningEffort: body.reasoning_effort ?? "none",
        json: body.response_format?.type === "json_object",
      };
      const stream = await openChat(client, request, ending.signal);
      services.chat.firstChunk.observe({ model }, (performance.now() - started) / 1000);
      const head = { id, model, createdAt: Date.now() };
      return new ChatAnswer({ head, stream, call, services, client, metered });
    } catch (error) {
      await metered.release();
      throw upstreamError(error, "messages");
    }
  }

  add({ content, finishReason, usage }: ChatChunk): void {
    if (content !== "") this.content += content;
    this.finishReason ??= finishReason;
    if (usage) this.#usage = usage;
  }

  /** What the upstream counted; else what we count, or estimate. */
  async used(): Promise<Usage & { estimated: boolean }> {
    if (this.#usage) return { ...this.#usage, estimated: false };
    const [prompt, completion] = await Promise.all([
      this.#client.tokens.count(this.#call.body.messages.map(({ content }) => content)),
      this.#client.tokens.count([this.content]),
    ]);
    const estimated = prompt.estimated || completion.estimated;
    return { promptTokens: prompt.tokens, completionTokens: completion.tokens, estimated };
  }

  /**
   * Charges. "lost": another request runs under the key, and is the one that is billed. Rejects only where an answer
   * must be kept under a key: without one, an answer that cannot be charged is the client's for nothing, and its hold
   * the sweeper's to release.
   */
  async settle(
    used: Omit<UsageSettlement, "id">,
    outcome: ChatOutcome,
    kept: { lease: IdempotencyLease; body: string } | null = null,
  ): Promise<"settled" | "lost"> {
    const { chat } = this.#services;
    const { model } = this.head;
    this.#count(outcome);
    const idempotency = kept && { lease: kept.lease, response: { status: 200, body: kept.body } };
    try {
      const settled = await this.#metered.settle({ ...used, idempotency });
      if (settled === "settled") {
        chat.tokens.inc({ model, kind: "prompt" }, used.promptTokens);
        chat.tokens.inc({ model, kind: "completion" }, used.completionTokens);
      }
      return settled === "idempotency_lost" ? "lost" : "settled";
    } catch (error) {
      chat.unsettled.inc();
      if (kept) throw error;
      this.#call.log.error({ err: error, usage_id: this.head.id }, "an answer was not charged");
      return "settled";
    }
  }

  /** Not billed. */
  async release(outcome: ChatOutcome): Promise<void> {
    this.#count(outcome);
    await this.#metered.release();
  }

  #count(outcome: ChatOutcome): void {
    const { model, stream = false } = this.#call.body;
    this.#services.chat.answers.inc({ model, stream: String(stream), outcome });
  }
}
