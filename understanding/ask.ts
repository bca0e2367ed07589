import type { UpstreamClient } from "../upstream/clients.ts";
import { type Reply, readReply } from "./reply.ts";

/** A question that is answered by one JSON object. */
export interface Question {
  /** Of the schema: letters and underscores. */
  name: string;
  system: string;
  user: string;
  /** JSON Schema of the answer; sent where the server follows one. */
  schema: object;
  maxTokens: number;
  /** 0 for the first try; a second wants some chance to differ. */
  temperature: number;
}

export interface Answered {
  /** Null: no JSON object in it. */
  reply: Reply | null;
  promptTokens: number;
  completionTokens: number;
}

/** Characters a token has at most, on average over an answer; a server that writes on and on is left. */
const CHARACTERS_A_TOKEN = 16;

/**
 * Asks once. Rejects as UpstreamClient.chat does (unavailable, refused, the signal's reason), and with UpstreamBroken
 * for an answer that breaks off. An answer under way when the signal comes is read as far as it got.
 */
export async function ask(client: UpstreamClient, question: Question, signal: AbortSignal): Promise<Answered> {
  const messages = [
    { role: "system", content: question.system },
    { role: "user", content: question.user },
  ] as const;
  const stream = await client.chat(
    {
      messages,
      maxTokens: question.maxTokens,
      temperature: question.temperature,
      reasoningEffort: "none",
      json: true,
      schema: { name: question.name, schema: question.schema },
    },
    { signal },
  );
  let text = "";
  let finish: "stop" | "length" = "stop";
  let usage: { promptTokens: number; completionTokens: number } | null = null;
  try {
    for await (const chunk of stream) {
      text += chunk.content;
      finish = chunk.finishReason ?? finish;
      usage = chunk.usage ?? usage;
      if (text.length > question.maxTokens * CHARACTERS_A_TOKEN) {
        finish = "length";
        break;
      }
    }
  } catch (error) {
    // Out of patience in the middle: the fields that are whole by then are as good as any.
    if (!signal.aborted || text === "") throw error;
    finish = "length";
  }
  usage ??= {
    promptTokens: (await client.tokens.count(messages.map(({ content }) => content))).tokens,
    completionTokens: (await client.tokens.count([text])).tokens,
  };
  return { reply: readReply(text, finish), ...usage };
}
