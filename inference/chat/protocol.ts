/** What the server asks of the process that holds the chat model. */
export interface ChatCall {
  model: ChatModelSettings;
  messages: ChatMessage[];
  /** Most tokens of the answer; absent: what the prompt leaves of the window. */
  maxTokens?: number | undefined;
  temperature: number;
  topP: number;
  seed: number;
  stop: string[];
  format: ChatFormat;
}

/** Loaded on the first call and kept; the same in every call of a server. */
export interface ChatModelSettings {
  /** GGUF file. */
  path: string;
  threads: number;
  /** Tokens of a chat, prompt and answer together. */
  window: number;
  /** Chats at a time. */
  chats: number;
}

export interface ChatMessage {
  role: "system" | "user" | "assistant";
  content: string;
}

export type ChatFormat = { type: "text" } | { type: "json_object" } | { type: "json_schema"; schema: object };

/** A piece of the answer, or a sign of life while a long prompt is read. */
export type ChatProgress = Piece | { alive: true };

/** What the answer grew by, and the tokens read and written so far. */
export interface Piece extends Tokens {
  text: string;
}

export interface Tokens {
  promptTokens: number;
  /** Tokens the model produced, without the one that ends its turn. */
  completionTokens: number;
}

export interface ChatResult extends Tokens {
  finishReason: "stop" | "length";
  residentBytes: number;
}

/** Names of the errors that the process answers with; anything else is a fault of ours. */
export const CHAT_FAILURES = {
  promptTooLong: "PromptTooLong",
  schemaRefused: "SchemaRefused",
  /** node-llama-cpp has no binary for this machine, or the GGUF file cannot be loaded. */
  modelUnusable: "ModelUnusable",
} as const;

export class ChatFailure extends Error {
  constructor(name: keyof typeof CHAT_FAILURES, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = CHAT_FAILURES[name];
  }
}
