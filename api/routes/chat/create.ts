import { idempotently } from "../../idempotency.ts";
import { type Answer, route } from "../../route.ts";
import { chatCompletion, chatCompletionChunk, chatRequest, MAX_CHAT_BYTES } from "../../schemas/chat.ts";
import { answerAsStream } from "./stream.ts";
import { answerWhole } from "./whole.ts";

export const createChatCompletion = route({
  operation: "createChatCompletion",
  method: "POST",
  path: "/v1/chat/completions",
  summary: "Answers a conversation, in one piece or as a stream.",
  description: [
    "Compatible with the official `openai` clients: set their base URL and key. Fields that are not listed are discarded:",
    "`tools`, `tool_choice`, `top_p`, `seed`, `stop`, `n`, `logprobs`, `stream_options` and **`max_completion_tokens`** among them.",
    "",
    "A stream never carries `usage`, though it is billed, and ends with `data: [DONE]` also where it failed: it is whole",
    "exactly when a chunk carried a `finish_reason`. An answer without one is not billed, unless the client cut it.",
    "",
    "An error may take several minutes: a server that is silent for 120 s is asked again, up to three times.",
  ].join("\n"),
  access: "llm:invoke",
  request: { json: chatRequest, maxJsonBytes: MAX_CHAT_BYTES, idempotencyKey: "refused with stream" },
  success: { status: 200, description: "The answer", body: chatCompletion, events: chatCompletionChunk },
  errors: ["missing_parameter", "invalid_model", "idempotency_key_reused", "insufficient_credit"],
  async handle(call, services) {
    if (call.body.stream) return answerAsStream(call, services);
    if (call.idempotencyKey === undefined) return (await answerWhole(call, services, null)) as Answer;
    return idempotently({
      database: services.database,
      scope: { organizationId: call.key.organizationId, route: "POST /v1/chat/completions", key: call.idempotencyKey },
      body: call.text,
      run: (lease, lost) => answerWhole(call, services, { lease, lost }),
      signal: call.signal,
      log: call.log,
    });
  },
});
