import { join, resolve } from "node:path";
import * as z from "zod";
import { schema as inferenceSettings } from "../inference/config.ts";
import { type ModelsConfig, modelsSettings, readModelsConfig } from "../models/config.ts";
import { port, readSettings, shared } from "../process/settings.ts";
import { type Upstreams, upstreamsSetting } from "../upstream/settings.ts";

/** Settings of the stack on one machine (`npm start`, `npm run demo`). */
export const embeddedSettings = z.object({
  ESCRIBA_STATE_DIR: z
    .string()
    .default(".escriba")
    .describe("Where the embedded stack keeps its database, audio, results, logs, mail and keys."),
  ESCRIBA_API_PORT: port().default(8080).describe("Port of the API of `npm start`, on 127.0.0.1; 0 takes a free one."),
  ESCRIBA_METRICS_PORT: port()
    .default(0)
    .describe("Port of the API's metrics and health listener, on 127.0.0.1; 0 takes a free one."),
  ESCRIBA_INFERENCE_PORT: port()
    .default(0)
    .describe("Port of the server of chat and embeddings, on 127.0.0.1; 0 takes a free one."),
  ESCRIBA_INFERENCE_GGUF: inferenceSettings.shape.ESCRIBA_INFERENCE_GGUF,
  ESCRIBA_INFERENCE_WINDOW: inferenceSettings.shape.ESCRIBA_INFERENCE_WINDOW,
  ESCRIBA_UPSTREAMS: upstreamsSetting(),
  ...modelsSettings.shape,
  ESCRIBA_OFFLINE: z
    .enum(["true", "false"])
    .default("false")
    .transform((value) => value === "true")
    .describe("Fetch nothing: the models must be in the cache already."),
  ESCRIBA_LOG_LEVEL: shared.ESCRIBA_LOG_LEVEL,
});

export interface EmbeddedConfig {
  stateDir: string;
  port: number;
  metricsPort: number;
  inference: { port: number; gguf: string; window: number };
  /** Servers of one's own, by model id; the embedded one answers for the others. */
  upstreams: Upstreams;
  models: ModelsConfig;
  offline: boolean;
  logLevel: string;
  /** What every child process of the stack starts from; each role's own settings are added to it. */
  inherited: Record<string, string | undefined>;
}

/** Reads the environment once. Throws SettingsError with a line a setting that is not usable. */
export function embeddedConfig(env: Record<string, string | undefined> = process.env): EmbeddedConfig {
  const settings = readSettings(embeddedSettings, env);
  return {
    stateDir: resolve(settings.ESCRIBA_STATE_DIR),
    port: settings.ESCRIBA_API_PORT,
    metricsPort: settings.ESCRIBA_METRICS_PORT,
    inference: {
      port: settings.ESCRIBA_INFERENCE_PORT,
      gguf: settings.ESCRIBA_INFERENCE_GGUF,
      window: settings.ESCRIBA_INFERENCE_WINDOW,
    },
    upstreams: settings.ESCRIBA_UPSTREAMS,
    models: readModelsConfig(env),
    offline: settings.ESCRIBA_OFFLINE,
    logLevel: settings.ESCRIBA_LOG_LEVEL,
    inherited: env,
  };
}

/** Every path below the state directory, in one place. */
export function statePaths(stateDir: string) {
  return {
    lock: join(stateDir, "stack.lock"),
    devFile: join(stateDir, "dev.json"),
    key: join(stateDir, "key.json"),
    secretsKey: join(stateDir, "secrets.key"),
    mail: join(stateDir, "mail"),
    postgres: join(stateDir, "postgres"),
    temporal: join(stateDir, "temporal"),
    objects: join(stateDir, "objects"),
    scratch: join(stateDir, "scratch"),
    logs: join(stateDir, "logs"),
  };
}
