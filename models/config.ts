import { join } from "node:path";
import * as z from "zod";
import { readSettings, shared } from "../process/settings.ts";
import { defaultModelsDirectory } from "./ensure.ts";
import { HUB } from "./hub.ts";

export const modelsSettings = z.object({
  ESCRIBA_MODELS_DIR: shared.ESCRIBA_MODELS_DIR,
  ESCRIBA_MODELS_HUB: z.url().default(HUB).describe("Hub, or a mirror with its layout, that models are fetched from."),
});

export interface ModelsConfig {
  dir: string;
  hub: string;
}

export function readModelsConfig(env: Record<string, string | undefined>): ModelsConfig {
  const settings = readSettings(modelsSettings, env);
  return {
    dir: join(settings.ESCRIBA_MODELS_DIR || defaultModelsDirectory(env)),
    hub: settings.ESCRIBA_MODELS_HUB.replace(/\/+$/, ""),
  };
}
