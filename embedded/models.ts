import { join } from "node:path";
import type { ModelName } from "../models/catalogue.ts";
import { ensure } from "../models/ensure.ts";
import { ModelError } from "../models/errors.ts";
import type { Progress } from "../models/progress.ts";
import type { EmbeddedConfig } from "./config.ts";
import type { Bar } from "./progress.ts";

/** What the stack runs on; each is fetched once into the cache and shared with every other checkout. */
const NEEDED = ["temporal-cli", "silero-vad", "whisper-base"] as const;

/** Without these there is something less in a transcript, which its warnings say; the worker says why. */
const WANTED = ["campplus"] as const;

/** Answers the path of the Temporal CLI. Rejects with ModelError, whose message says what to do, or the signal's reason. */
export async function fetchModels(
  config: EmbeddedConfig,
  bar: Bar,
  signal: AbortSignal,
): Promise<{ temporal: string }> {
  const directories = new Map<string, string>();
  try {
    for (const name of NEEDED) directories.set(name, await fetchModel(name, config, bar, signal));
    for (const name of WANTED) {
      await fetchModel(name, config, bar, signal).catch((error: unknown) => {
        if (!(error instanceof ModelError)) throw error;
      });
    }
  } finally {
    bar.stop();
  }
  return { temporal: join(directories.get("temporal-cli") ?? "", "temporal") };
}

/** Answers the model's directory, its progress on the bar. */
export function fetchModel(name: ModelName, config: EmbeddedConfig, bar: Bar, signal: AbortSignal): Promise<string> {
  const onProgress = (progress: Progress) => show(bar, progress);
  return ensure(name, { ...config.models, offline: config.offline, signal, onProgress });
}

function show(bar: Bar, { name, phase, done, total, file }: Progress): void {
  if (phase === "waiting") bar.update(`${name}: ${file}`, 0, 1);
  else bar.update(`${name}: ${phase === "download" ? "fetching" : "converting"}`, done, total);
}
