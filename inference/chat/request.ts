import * as z from "zod";
import type { ChatCall } from "./protocol.ts";

/** Text parts of a message are joined; anything but text (images, audio) is refused. */
const content = z.union([
  z.string(),
  z
    .array(z.object({ type: z.literal("text"), text: z.string() }))
    .min(1)
    .transform((parts) => parts.map(({ text }) => text).join("")),
]);

const message = z.object({
  // OpenAI's newer name of the same thing.
  role: z
    .enum(["system", "developer", "user", "assistant"])
    .transform((role) => (role === "developer" ? "system" : role)),
  content,
});

const responseFormat = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text") }),
  z.object({ type: z.literal("json_object") }),
  z.object({
    type: z.literal("json_schema"),
    json_schema: z.object({ name: z.string().optional(), schema: z.record(z.string(), z.unknown()) }),
  }),
]);

const tokens = z.number().int().positive();
const U32 = 2 ** 32;

/**
 * What OpenAI's clients send and this server heeds; null is absent. Everything else (`reasoning_effort`, `tools`,
 * penalties, …) is ignored.
 */
export const ChatRequest = z.object({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  max_tokens: tokens.nullish(),
  max_completion_tokens: tokens.nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().gt(0).max(1).nullish(),
  seed: z.number().int().nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(4)]).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z
    .object({ include_usage: z.boolean().nullish(), continuous_usage_stats: z.boolean().nullish() })
    .nullish(),
  response_format: responseFormat.nullish(),
  n: z.literal(1, { error: "one answer a request" }).nullish(),
});
export type ChatRequest = z.output<typeof ChatRequest>;

/** As SmolLM2's authors recommend; OpenAI's default of 1 makes small models ramble. */
const TEMPERATURE = 0.2;
const TOP_P = 0.9;

/** The call that answers a request; `random` gives the seed of one that names none. */
export function chatCall(request: ChatRequest, random: () => number): Omit<ChatCall, "model"> {
  const { stop, response_format: format } = request;
  return {
    messages: request.messages,
    maxTokens: request.max_completion_tokens ?? request.max_tokens ?? undefined,
    temperature: request.temperature ?? TEMPERATURE,
    topP: request.top_p ?? TOP_P,
    seed: request.seed == null ? Math.floor(random() * U32) : ((request.seed % U32) + U32) % U32,
    stop: typeof stop === "string" ? [stop] : (stop ?? []),
    format:
      format?.type === "json_schema"
        ? { type: "json_schema", schema: format.json_schema.schema }
        : (format ?? { type: "text" }),
  };
}
