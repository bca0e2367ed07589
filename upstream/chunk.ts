import { errorIn, isContextLength } from "./refusal.ts";

export interface Usage {
  promptTokens: number;
  completionTokens: number;
}

/** What a chunk of a stream says that we pass on; everything else in it is dropped here. */
export interface ChatChunk {
  /** "" where it carries none. */
  content: string;
  finishReason: "stop" | "length" | null;
  /** Of the whole call so far; usually on the last chunk only. */
  usage: Usage | null;
}

/** The stream said an error instead of a chunk. */
export class ErrorEvent extends Error {
  override name = "ErrorEvent";
  readonly contextLength: boolean;
  constructor(contextLength: boolean) {
    super("the upstream sent an error in its stream");
    this.contextLength = contextLength;
  }
}

interface WireChunk {
  choices?: { index?: number; delta?: { content?: unknown } | null; finish_reason?: string | null }[];
  usage?: { prompt_tokens?: unknown; completion_tokens?: unknown } | null;
}

/** Throws SyntaxError for what is not JSON, ErrorEvent for an error in the stream's place of a chunk. */
export function parseChunk(data: string): ChatChunk {
  const chunk = parseJson(data) as WireChunk;
  const error = errorIn(chunk);
  if (error) throw new ErrorEvent(isContextLength(error));
  if (typeof chunk !== "object" || chunk === null) throw new SyntaxError("a chunk is an object");
  const choice = Array.isArray(chunk.choices) ? chunk.choices.find((one) => (one?.index ?? 0) === 0) : undefined;
  const content = choice?.delta?.content;
  return {
    content: typeof content === "string" ? content : "",
    finishReason: finishReason(choice?.finish_reason),
    usage: usageOf(chunk.usage),
  };
}

/** JSON.parse without the text in its error, which ends in a log and is somebody's words. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SyntaxError("not JSON");
  }
}

function finishReason(reason: unknown): ChatChunk["finishReason"] {
  if (typeof reason !== "string") return null;
  // vLLM's and OpenRouter's words for a generation that was given up: no end, so no reason to finish.
  if (reason === "abort" || reason === "error") throw new ErrorEvent(false);
  return reason === "length" ? "length" : "stop";
}

export function usageOf(usage: { prompt_tokens?: unknown; completion_tokens?: unknown } | null | undefined) {
  if (typeof usage !== "object" || usage === null) return null;
  const { prompt_tokens: promptTokens, completion_tokens: completionTokens = 0 } = usage;
  if (!isCount(promptTokens) || !isCount(completionTokens)) return null;
  return { promptTokens, completionTokens };
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
