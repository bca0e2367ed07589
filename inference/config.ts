import { availableParallelism } from "node:os";
import { basename } from "node:path";
import * as z from "zod";
import { modelsSettings } from "../models/config.ts";
import { defaultModelsDirectory } from "../models/ensure.ts";
import { port, readSettings, shared } from "../process/settings.ts";

const count = (fallback: number, most: number) => z.coerce.number().int().min(1).max(most).default(fallback);

/** Every setting of the `inference` role; the keys are the environment variables. */
export const schema = z.object({
  ESCRIBA_LOG_LEVEL: shared.ESCRIBA_LOG_LEVEL,
  ESCRIBA_INFERENCE_HOST: z.string().default("127.0.0.1").describe("Address that the server listens on."),
  ESCRIBA_INFERENCE_PORT: port().default(8090).describe("Port of the server, its health and its metrics."),
  ESCRIBA_INFERENCE_API_KEY: z
    .string()
    .default("")
    .describe("Bearer token that /v1 asks for; empty means anyone who reaches the port."),
  ESCRIBA_INFERENCE_GGUF: z
    .string()
    .default("")
    .describe("Path of a GGUF file to chat with; empty means SmolLM2 135M, a model to try things out with."),
  ESCRIBA_INFERENCE_WINDOW: count(8_192, 1_000_000).describe(
    "Tokens of a chat, prompt and answer together; no more than the model was trained for.",
  ),
  ESCRIBA_INFERENCE_CHATS: count(2, 64).describe(
    "Chats answered at a time. Each takes memory for a whole window: 190 MB of 730 MB with the defaults.",
  ),
  ESCRIBA_INFERENCE_THREADS: z.coerce
    .number()
    .int()
    .min(0)
    .max(256)
    .default(0)
    .describe("Cores that a model may use; 0 means all but one, at most four."),
  ESCRIBA_INFERENCE_QUEUE: count(64, 10_000).describe("Requests of a kind that may wait; one more is answered 503."),
  ESCRIBA_INFERENCE_IDLE_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .max(2_000_000)
    .default(300)
    .describe("A model that nobody asked for this long leaves the memory until it is asked again; 0 means never."),
  ESCRIBA_INFERENCE_MAX_BODY_BYTES: count(16 * 2 ** 20, 2 ** 30).describe("Largest request body in bytes."),
  ESCRIBA_GRACE_SECONDS: z.coerce
    .number()
    .min(0)
    .max(86_400)
    .default(60)
    .describe("How long a stopping server waits for running and queued requests."),
  ...modelsSettings.shape,
  XDG_CACHE_HOME: z.string().optional().describe("Base directory of the default model cache."),
  ESCRIBA_OFFLINE: z
    .enum(["true", "false"])
    .default("false")
    .transform((value) => value === "true")
    .describe("Fetch nothing: the models must be in the cache already."),
});

export type Settings = z.output<typeof schema>;

export function readConfig(env: Record<string, string | undefined> = process.env): Settings {
  return readSettings(schema, env);
}

export const EMBEDDING_MODEL = "all-minilm-l6-v2";
export const CHAT_MODEL = "smollm2-135m-instruct";

/** The name that the chat model answers to: of a GGUF file of one's own, the file's. */
export function chatModelName({ ESCRIBA_INFERENCE_GGUF: gguf }: Pick<Settings, "ESCRIBA_INFERENCE_GGUF">): string {
  return gguf ? basename(gguf).replace(/\.gguf$/i, "") : CHAT_MODEL;
}

export function modelsDirectory(settings: Settings): string {
  return settings.ESCRIBA_MODELS_DIR || defaultModelsDirectory(settings);
}

/**
 * llama.cpp's threads wait for each other in a loop: with as many as there are cores, whatever else runs makes it a
 * hundred times slower (24 tokens: 0.6 s on one of two cores, 36 to 83 s on both). One core stays free.
 */
export function threadsOf({ ESCRIBA_INFERENCE_THREADS: threads }: Settings, cores = availableParallelism()): number {
  return threads || Math.max(1, Math.min(4, cores - 1));
}
