import type { SettledUsage, UsageSettlement } from "../../../billing/usage.ts";
import type { IdempotencyLease } from "../../../storage/idempotency.ts";
import { newChatCompletionId } from "../../../storage/ids.ts";
import type { ChatStream } from "../../../upstream/chat-stream.ts";
import type { ChatChunk, Usage } from "../../../upstream/chunk.ts";
import type { ChatRequest, UpstreamClient } from "../../../upstream/clients.ts";
import { noUpstream, upstreamError } from "../../errors/upstream.ts";
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
   * Credit, then the upstream up to its first chunk. Where the organization had enough a moment ago the two go side by
   * side, and nothing of the answer is passed on before its hold is made. Throws ApiError (402, 503, 400 for a prompt over
   * the window) or the reason of `ending`; nothing is held then, nor billed.
   */
  static async begin(call: ChatCall, services: Services, ending: Ending): Promise<ChatAnswer> {
    const { model } = call.body;
    const started = performance.now();
    const client = services.upstreams.of(model);
    if (!client) throw noUpstream(model);
    const { bound, maxTokens } = await sizePrompt(call.body, client);
    const id = newChatCompletionId();
    const { organizationId, keyId: apiKeyId } = call.key;
    const sized = { promptTokens: bound, completionTokens: maxTokens };
    const hold = () => MeteredCall.hold(services, { id, organizationId, apiKeyId, kind: "chat", model, ...sized });
    const open = () => openChat(client, upstreamRequest(call.body, maxTokens), ending.signal);
    const [metered, stream] = await (services.motion.isCovered(organizationId)
      ? sideBySide(open, hold, ending)
      : oneByOne(hold, open));
    services.chat.firstChunk.observe({ model }, (performance.now() - started) / 1000);
    const head = { id, model, createdAt: Date.now() };
    return new ChatAnswer({ head, stream, call, services, client, metered });
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
   * Charges and keeps the answer under its Idempotency-Key, in one transaction. "lost": another request runs under the
   * key, and is the one that is billed. Rejects where it cannot be kept.
   */
  async keep(used: Omit<UsageSettlement, "id">, lease: IdempotencyLease, body: string): Promise<"kept" | "lost"> {
    this.#count("completed");
    const idempotency = { lease, response: { status: 200, body } };
    const settled = await this.#counted(used, () => this.#metered.settle({ ...used, idempotency }));
    return settled === "idempotency_lost" ? "lost" : "kept";
  }

  /**
   * Charges after the answer was given: its client need not wait for that. What cannot be charged is the client's for
   * nothing, and its hold the sweeper's to release. Never rejects; resolves when it is over.
   */
  charge(outcome: ChatOutcome): Promise<void> {
    this.#count(outcome);
    const charge = (async () => {
      try {
        const used = await this.used();
        await this.#counted(used, () => this.#metered.settleLater(used));
      } catch (error) {
        this.#call.log.error({ err: error, usage_id: this.head.id }, "an answer was not charged");
      }
    })();
    this.#services.motion.charging(this.#call.key.organizationId, charge);
    return charge;
  }

  async #counted(used: Usage, settle: () => Promise<SettledUsage["outcome"]>): Promise<SettledUsage["outcome"]> {
    const { chat } = this.#services;
    const { model } = this.head;
    try {
      const settled = await settle();
      if (settled === "settled") {
        chat.tokens.inc({ model, kind: "prompt" }, used.promptTokens);
        chat.tokens.inc({ model, kind: "completion" }, used.completionTokens);
      }
      return settled;
    } catch (error) {
      chat.unsettled.inc();
      throw error;
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

type Begun = [MeteredCall, ChatStream];

async function oneByOne(hold: () => Promise<MeteredCall>, open: () => Promise<ChatStream>): Promise<Begun> {
  const metered = await hold();
  try {
    return [metered, await open()];
  } catch (error) {
    await metered.release();
    throw upstreamError(error, "messages");
  }
}

/** A hold that is refused after all ends the upstream's work. */
async function sideBySide(
  open: () => Promise<ChatStream>,
  hold: () => Promise<MeteredCall>,
  ending: Ending,
): Promise<Begun> {
  const opening = open();
  // Looked at below, whatever comes of the hold.
  opening.catch(() => undefined);
  try {
    return await oneByOne(hold, () => opening);
  } catch (error) {
    ending.stop(error);
    await opening.then(
      (stream) => stream.cancel(),
      () => undefined,
    );
    throw error;
  }
}

function upstreamRequest(body: ChatRequestBody, maxTokens: number): ChatRequest {
  return {
    messages: body.messages,
    maxTokens,
    temperature: body.temperature,
    reasoningEffort: body.reasoning_effort ?? "none",
    json: body.response_format?.type === "json_object",
  };
}
