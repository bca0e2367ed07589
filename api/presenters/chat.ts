import type { ChatChunk, Usage } from "../../upstream/chunk.ts";

/** What every part of one answer shares. */
export interface ChatHead {
  id: string;
  model: string;
  /** Epoch milliseconds. */
  createdAt: number;
}

export function presentChatCompletion(
  { id, model, createdAt }: ChatHead,
  { content, finishReason }: { content: string; finishReason: "stop" | "length" },
  { promptTokens, completionTokens }: Usage,
) {
  return {
    id,
    object: "chat.completion",
    created: seconds(createdAt),
    model,
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: finishReason }],
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
    },
  };
}

export const STREAM_END = "data: [DONE]\n\n";

/**
 * Writes the events of one stream. What is the same in all of them is written once: a chunk costs one JSON.stringify of
 * its text. Only what we name gets out, so nothing of the upstream's own fields does.
 */
export class ChunkWriter {
  readonly #before: string;
  #first = true;

  constructor({ id, model, createdAt }: ChatHead) {
    const head = JSON.stringify({ id, object: "chat.completion.chunk", created: seconds(createdAt), model });
    this.#before = `data: ${head.slice(0, -1)},"choices":[{"index":0,"delta":{`;
  }

  /** The event of a chunk; "" for one that says nothing, such as hidden reasoning, unless it is the first. */
  write({ content, finishReason }: ChatChunk): string {
    if (content === "" && finishReason === null && !this.#first) return "";
    const text = content === "" && !this.#first ? "" : `"content":${JSON.stringify(content)}`;
    const role = this.#first ? '"role":"assistant",' : "";
    this.#first = false;
    const finish = finishReason === null ? "null" : `"${finishReason}"`;
    return `${this.#before}${role}${text}},"finish_reason":${finish}}]}\n\n`;
  }
}

function seconds(ms: number): number {
  return Math.floor(ms / 1000);
}
