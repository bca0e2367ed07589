import type { ChatStream } from "../../../upstream/chat-stream.ts";
import type { ChatRequest, UpstreamClient } from "../../../upstream/clients.ts";
import { UpstreamRefused } from "../../../upstream/errors.ts";
import { overTheWindow } from "../../errors/upstream.ts";
import { type ChatRequestBody, DEFAULT_MAX_TOKENS } from "../../schemas/chat.ts";
import { MODELS } from "../model/catalogue.ts";

/** What the frame of a prompt and of each message may take (docs/decisions, "Chat and embeddings hold"). */
const TOKENS_A_PROMPT = 64;
const TOKENS_A_MESSAGE = 16;
/** Where only an estimate says how little the window leaves, the upstream still gets the chance of a short answer. */
const LEAST_GUESSED_TOKENS = 256;

export interface Prompt {
  /** Upper bound of its tokens, at most the window. */
  bound: number;
  /** What is asked of the upstream and held for. */
  maxTokens: number;
}

/** Sizes a request against the window. Throws ApiError for a prompt that certainly is over it. */
export async function sizePrompt(body: ChatRequestBody, client: UpstreamClient): Promise<Prompt> {
  const window = windowOf(body.model, client);
  const asked = body.max_tokens ?? DEFAULT_MAX_TOKENS;
  const frame = TOKENS_A_PROMPT + TOKENS_A_MESSAGE * body.messages.length;
  const bytes = body.messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
  // No text has more tokens than bytes.
  if (bytes + frame + asked <= window) return { bound: bytes + frame, maxTokens: asked };
  const bound = Math.min(bytes + frame, window);
  const { tokens, estimated } = await client.tokens.count(body.messages.map(({ content }) => content));
  const left = window - tokens - frame;
  if (!estimated && tokens >= window) throw overTheWindow("messages");
  const least = estimated ? LEAST_GUESSED_TOKENS : 1;
  return { bound, maxTokens: Math.min(asked, Math.max(left, least), window - 1) };
}

/**
 * Opens the answer. Where an estimate left too much to answer and the upstream says how much fits, it is asked once
 * more for that.
 */
export async function openChat(client: UpstreamClient, request: ChatRequest, signal: AbortSignal): Promise<ChatStream> {
  try {
    return await client.chat(request, { signal });
  } catch (error) {
    const left = error instanceof UpstreamRefused ? (error.leftTokens ?? 0) : 0;
    if (left < 1 || left >= request.maxTokens) throw error;
    return client.chat({ ...request, maxTokens: left }, { signal });
  }
}

function windowOf(model: string, client: UpstreamClient): number {
  const window = MODELS.find(({ id }) => id === model)?.contextWindow ?? 0;
  return Math.min(window, client.settings.context_window ?? window);
}
