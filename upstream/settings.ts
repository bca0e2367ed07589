import * as z from "zod";

/**
 * OpenAI-compatible servers by the public model id they answer for. `url` is what an OpenAI client calls its base URL,
 * `model` the server's own name for the model.
 */
const upstream = z.strictObject({
  url: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, "")),
  model: z.string().min(1),
  /** Sent as a bearer token. */
  api_key: z.string().min(1).optional(),
  /** Tokens the server really has, when that is less than the window of the model's catalogue entry. */
  context_window: z.number().int().positive().optional(),
  /** Path of the model's `tokenizer.json`: counts what the server does not, instead of an estimate from bytes. */
  tokenizer: z.string().min(1).optional(),
  /**
   * The server knows `stream_options.continuous_usage_stats` (vLLM, SGLang): a stream that its client cuts is then billed
   * by the server's own count.
   */
  usage_in_chunks: z.boolean().optional(),
  /**
   * What the server makes of `response_format`: follows a JSON Schema (vLLM, SGLang, llama.cpp, OpenAI), writes JSON of
   * any shape (most; when absent), or refuses the field.
   */
  structured_output: z.enum(["json_schema", "json_object", "none"]).optional(),
  /** What its tokens cost you, euros a million; for the metric of what understanding costs. */
  cost: z.strictObject({ prompt: z.number().min(0), completion: z.number().min(0) }).optional(),
  /** Embeddings: most numbers that a client may ask for in a vector; 1,024 when absent. */
  dimensions: z.number().int().positive().optional(),
  /**
   * Embeddings: numbers in the vectors that the server makes unasked. Where a client wants just these, the server is not
   * asked for a number, which many refuse for models that cannot be cut.
   */
  native_dimensions: z.number().int().positive().optional(),
});

export type Upstream = z.output<typeof upstream>;

const byModel = z.record(z.string().regex(/^service-[a-z0-9-]+$/), upstream);

export type Upstreams = z.output<typeof byModel>;

/** Field for a process's settings: JSON text to upstreams. */
export const upstreamsSetting = () =>
  z
    .string()
    .default("{}")
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue({ code: "custom", message: "must be JSON" });
        return z.NEVER;
      }
    })
    .pipe(byModel)
    .describe(
      'JSON object from model id to its OpenAI-compatible server, e.g. {"service-llm-1-small": {"url": "http://vllm:8000/v1", "model": "qwen", "api_key": "…"}}. A model without one answers 503. Every field: docs/upstreams.md.',
    );
