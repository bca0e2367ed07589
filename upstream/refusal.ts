import { UpstreamRefused } from "./errors.ts";

/** Codes and types that servers give a prompt over their window: OpenAI and ours, llama.cpp. */
const CODES = new Set(["context_length_exceeded", "exceed_context_size_error", "string_above_max_length"]);
/** vLLM, SGLang, TGI and others say it only in words. */
const WORDS =
  /context (length|window|size)|maximum (context|model|input|sequence) length|max_model_len|too many (input )?tokens|prompt is too long|(input|prompt)\b.{0,40}\btokens?\b.{0,60}\b(exceed|longer|must be|maximum)/i;
/** "… requested 5000 tokens (4500 in the messages, …", "your request has 4000 input tokens". */
const PROMPT_TOKENS = [/\((\d+) (?:tokens )?(?:in|from) the (?:messages|prompt|input)/i, /\b(\d+) input tokens/i];
const WINDOW = /maximum context length (?:is|of) (\d+)/i;

interface ErrorObject {
  code?: unknown;
  type?: unknown;
  message?: unknown;
}

/** True of `{"error": …}` and of vLLM's older `{"object": "error", …}`. */
export function errorIn(answer: unknown): ErrorObject | null {
  if (typeof answer !== "object" || answer === null) return null;
  const { error, object } = answer as { error?: unknown; object?: unknown };
  if (typeof error === "object" && error !== null) return error;
  if (typeof error === "string") return { message: error };
  return object === "error" ? (answer as ErrorObject) : null;
}

/** What a 400, 413 or 422 says about the request. Its text is looked at and dropped: it may quote the caller. */
export function refusalOf(status: number, text: string): UpstreamRefused {
  let error: ErrorObject | null;
  try {
    error = errorIn(JSON.parse(text));
  } catch {
    error = { message: text };
  }
  if (status !== 413 && !isContextLength(error)) return new UpstreamRefused("other", status);
  return new UpstreamRefused("context_length", status, leftIn(String(error?.message ?? "")));
}

/** OpenAI and vLLM say the window and the prompt, so that a prompt that fits can be sent again with less to answer. */
function leftIn(message: string): number | undefined {
  const prompt = PROMPT_TOKENS.map((form) => form.exec(message)?.[1]).find((number) => number !== undefined);
  const window = WINDOW.exec(message)?.[1];
  return prompt === undefined || window === undefined ? undefined : Number(window) - Number(prompt);
}

export function isContextLength(error: ErrorObject | null): boolean {
  if (error === null) return false;
  const { code, type, message } = error;
  return CODES.has(String(code)) || CODES.has(String(type)) || WORDS.test(String(message ?? ""));
}
