/** The four models of section 2.12. Their ids are stable; what serves each is an operator's configuration. */
export const MODELS = [
  { id: "service-scribe-1", type: "asr", contextWindow: null },
  { id: "service-llm-1-large", type: "llm", contextWindow: 250_000 },
  { id: "service-llm-1-small", type: "llm", contextWindow: 256_000 },
  { id: "service-embed-1", type: "embedding", contextWindow: 32_000 },
] as const;

export type Model = (typeof MODELS)[number];

/** Of section 2.10: tokens of one element of `input`. */
export const EMBEDDING_WINDOW = 32_000;
/** Most numbers a vector has unless the configuration of its server says otherwise (Qwen3-Embedding-0.6B: 1,024). */
export const EMBEDDING_DIMENSIONS = 1_024;

/** When the four were first offered: 2026-01-01T00:00:00Z, in seconds as the chat format has it. */
export const MODELS_CREATED = 1_767_225_600;

export function isModel(id: string, type: Model["type"]): boolean {
  return MODELS.some((model) => model.id === id && model.type === type);
}

export function modelIds(type: Model["type"]): string[] {
  return MODELS.filter((model) => model.type === type).map(({ id }) => id);
}
