import test from "ava";
import { refusalOf } from "../../upstream/refusal.ts";

for (const [server, status, body, left] of [
  [
    "OpenAI",
    400,
    { error: { message: "…", type: "invalid_request_error", code: "context_length_exceeded" } },
    undefined,
  ],
  [
    "vLLM 0.6",
    400,
    {
      object: "error",
      message:
        "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (3000 in the messages, 2000 in the completion). Please reduce the length of the messages or completion.",
      type: "BadRequestError",
      code: 400,
    },
    1_096,
  ],
  [
    "vLLM 0.10",
    400,
    {
      error: {
        message:
          "'max_tokens' or 'max_completion_tokens' is too large: 2000. This model's maximum context length is 4096 tokens and your request has 3000 input tokens (2000 > 4096 - 3000).",
        type: "BadRequestError",
        code: 400,
      },
    },
    1_096,
  ],
  [
    "vLLM, a prompt over the window",
    400,
    {
      error: {
        message: "This model's maximum context length is 10 tokens. However, your request has 17 input tokens.",
      },
    },
    -7,
  ],
  [
    "llama.cpp",
    400,
    { error: { code: 400, message: "the request exceeds", type: "exceed_context_size_error" } },
    undefined,
  ],
  [
    "TGI",
    422,
    { error: "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048. Given: 3000" },
    undefined,
  ],
  [
    "SGLang",
    400,
    { object: "error", message: "Input length (9000 tokens) exceeds the maximum allowed length" },
    undefined,
  ],
  ["a proxy that is sent too much", 413, "<html>", undefined],
] as const) {
  test(`a prompt over the window is known as ${server} says it`, (t) => {
    const refusal = refusalOf(status, typeof body === "string" ? body : JSON.stringify(body));
    t.is(refusal.kind, "context_length");
    t.is(refusal.leftTokens, left);
    t.false(refusal.message.includes("length is"), "what the upstream writes is not passed on");
  });
}

for (const [what, body] of [
  [
    "roles that the model's template does not take",
    { error: { message: "Conversation roles must alternate user/assistant" } },
  ],
  [
    "a parameter it does not know",
    { error: { message: "Unrecognized request argument: reasoning_effort", code: null } },
  ],
  ["no JSON", "Bad Request"],
  ["an empty body", ""],
] as const) {
  test(`${what} is another refusal`, (t) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    t.is(refusalOf(400, text).kind, "other");
  });
}
