import * as z from "zod";
import { isModel, modelIds } from "../routes/model/catalogue.ts";
import { optional } from "./text.ts";

/** "Body 16 MB" and "messages 1,000" of docs/decisions. */
export const MAX_CHAT_BYTES = 16 * 1024 * 1024;
export const MAX_MESSAGES = 1_000;
export const MAX_TOKENS = 32_000;
export const DEFAULT_MAX_TOKENS = 4_096;

const QUESTION = {
  model: "service-llm-1-small",
  messages: [
    { role: "system", content: "Responde en una frase." },
    { role: "user", content: "Resume: el cliente quiere cancelar." },
  ],
  max_tokens: 200,
};

const ANSWER = { id: "chatcmpl_2kWn9sYdL4f0Zq8cVb1xR7mT", created: 1_795_345_111, model: QUESTION.model };

const message = z
  .object({
    role: z.enum(["system", "user", "assistant"]).meta({
      description: "There is no tool calling, so no role `tool`; `developer` is refused too.",
    }),
    content: z
      .string()
      .refine((value) => value.isWellFormed(), { error: "contiene caracteres no admitidos" })
      .meta({ description: "A string. An array of parts is refused." }),
  })
  .meta({ id: "ChatMessage" });

/** Counted before they are looked at: 16 MB of `{}` are five million errors otherwise, and seconds to find them. */
const messages = z.preprocess((value, context) => {
  if (!Array.isArray(value) || value.length <= MAX_MESSAGES) return value;
  context.addIssue({ code: "too_big", origin: "array", maximum: MAX_MESSAGES, inclusive: true, input: value });
  return z.NEVER;
}, z.array(message).min(1).max(MAX_MESSAGES));

/** Section 2.9. Any other field is discarded. */
export const chatRequest = z
  .object({
    model: z
      .string()
      .refine((id) => isModel(id, "llm"), { error: "invalid_model" })
      .meta({ description: "A language model of `GET /v1/models`.", override: { enum: modelIds("llm") } }),
    messages: messages.meta({
      description: "The conversation so far, at most 1 000 messages and at most the model's context window.",
    }),
    temperature: optional(z.number().min(0).max(2)).meta({ description: "The model's own default when absent." }),
    max_tokens: optional(z.int().min(1).max(MAX_TOKENS)).meta({
      description:
        "Most tokens of the answer. Lowered to what the prompt leaves of the window. **`max_completion_tokens` is discarded like every field that is not listed here**; LangChain sends it, so set `max_tokens`.",
      override: { default: DEFAULT_MAX_TOKENS },
    }),
    stream: optional(z.boolean()).meta({
      description: "Server-sent events instead of one answer. Not with an `Idempotency-Key`.",
      override: { default: false },
    }),
    response_format: optional(
      z.object({
        type: z.enum(["text", "json_object"]).meta({
          description:
            "`json_object` nudges towards JSON, without the guarantee of a grammar. `json_schema` is refused.",
        }),
      }),
    ),
    reasoning_effort: optional(z.enum(["none", "low", "medium", "high"])).meta({
      description: "Reasoning multiplies the tokens of the answer, which are billed, and is not shown.",
      override: { default: "none" },
    }),
  })
  .meta({ id: "ChatRequest", examples: [QUESTION, { ...QUESTION, stream: true }] });

export type ChatRequestBody = z.output<typeof chatRequest>;

const finishReason = z.enum(["stop", "length"]);
const head = {
  id: z.string().meta({ description: "Prefix `chatcmpl_`." }),
  created: z.int().meta({ description: "Seconds since 1970." }),
  model: z.string(),
};

export const chatCompletion = z
  .strictObject({
    ...head,
    object: z.literal("chat.completion"),
    choices: z
      .array(
        z.strictObject({
          index: z.literal(0),
          message: z.strictObject({ role: z.literal("assistant"), content: z.string() }),
          finish_reason: finishReason.meta({ description: "`length`: cut at `max_tokens`; JSON is then truncated." }),
        }),
      )
      .length(1),
    usage: z.strictObject({
      prompt_tokens: z.int().min(0),
      completion_tokens: z.int().min(0),
      total_tokens: z.int().min(0),
    }),
  })
  .meta({
    id: "ChatCompletion",
    examples: [
      {
        ...ANSWER,
        object: "chat.completion",
        choices: [
          {
            index: 0,
            message: { role: "assistant", content: "El cliente pide dar de baja su contrato." },
            finish_reason: "stop",
          },
        ],
        usage: { prompt_tokens: 24, completion_tokens: 11, total_tokens: 35 },
      },
    ],
  });

/** One event of a stream; `usage` is never in it (section 2.9). */
export const chatCompletionChunk = z
  .strictObject({
    ...head,
    object: z.literal("chat.completion.chunk"),
    choices: z
      .array(
        z.strictObject({
          index: z.literal(0),
          delta: z.strictObject({ role: z.literal("assistant").optional(), content: z.string().optional() }),
          finish_reason: finishReason
            .nullable()
            .meta({ description: "Not null on the last chunk of a whole answer, and on no other." }),
        }),
      )
      .length(1),
  })
  .meta({
    id: "ChatCompletionChunk",
    examples: [
      chunkExample({ role: "assistant", content: "El cliente" }, null),
      chunkExample({ content: " pide dar de baja su contrato." }, null),
      chunkExample({}, "stop"),
    ],
  });

function chunkExample(delta: object, finish_reason: string | null) {
  return { ...ANSWER, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] };
}
