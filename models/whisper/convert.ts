import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openSafetensors } from "../checkpoint/safetensors.ts";
import { ModelError } from "../errors.ts";
import { weightBytes } from "../onnx/graph.ts";
import { writeOnnx } from "../onnx/write.ts";
import { openCTranslate2 } from "./ctranslate2.ts";
import { hubConfiguration } from "./ctranslate2-configuration.ts";
import { buildEncodeGraph } from "./encode-graph.ts";
import { buildStepGraph } from "./step-graph.ts";
import type { WhisperConfig, WhisperGeneration, WhisperWeights } from "./weights.ts";

/** Grows whenever the graphs change, so that directories made by an older converter are made anew. */
export const WHISPER_CONVERTER = 4;

export interface ConvertOptions {
  onProgress?: (done: number, total: number, file: string) => void;
  signal?: AbortSignal;
}

/**
 * A directory with the hub's files (config.json, generation_config.json, tokenizer.json, model.safetensors) → the
 * `whisper-…` directory of docs/architecture.md, "Models".
 */
export async function convertHubWhisper(source: string, target: string, options: ConvertOptions = {}): Promise<void> {
  const weights = openSafetensors(join(source, "model.safetensors"));
  try {
    await writeGraphs(target, weights, await readConfiguration(source), options);
    for (const file of ["config.json", "generation_config.json", "tokenizer.json"]) {
      await copyFile(join(source, file), join(target, file));
    }
  } finally {
    weights.close();
  }
}

/** A directory with CTranslate2's files (config.json, tokenizer.json, model.bin, whole or in `parts`) → the same. */
export async function convertCTranslate2Whisper(
  source: string,
  parts: readonly string[],
  target: string,
  options: ConvertOptions = {},
): Promise<void> {
  const weights = openCTranslate2(parts.map((part) => join(source, part)));
  try {
    const metadata = await readJson(join(source, "config.json"));
    const tokenizer = await readJson(join(source, "tokenizer.json"));
    const configuration = hubConfiguration(weights, metadata as never, tokenizer as never);
    await writeGraphs(target, weights, configuration, options);
    await writeJson(join(target, "config.json"), configuration.config);
    await writeJson(join(target, "generation_config.json"), configuration.generation);
    await copyFile(join(source, "tokenizer.json"), join(target, "tokenizer.json"));
  } finally {
    weights.close();
  }
}

interface Configuration {
  config: WhisperConfig;
  generation: WhisperGeneration;
}

async function writeGraphs(
  target: string,
  weights: WhisperWeights,
  { config, generation }: Configuration,
  { onProgress, signal }: ConvertOptions,
): Promise<void> {
  const graphs = {
    "encode.onnx": buildEncodeGraph(config, weights),
    "step.onnx": buildStepGraph(config, generation, weights),
  };
  const total = Object.values(graphs).reduce((sum, graph) => sum + weightBytes(graph), 0);
  let done = 0;
  for (const [file, graph] of Object.entries(graphs)) {
    await writeOnnx(graph, join(target, file), {
      producer: "escriba",
      version: String(WHISPER_CONVERTER),
      ...(signal && { signal }),
      onBytes: (bytes) => {
        done += bytes;
        onProgress?.(done, total, file);
      },
    });
  }
}

async function readConfiguration(source: string): Promise<Configuration> {
  return {
    config: (await readJson(join(source, "config.json"))) as WhisperConfig,
    generation: (await readJson(join(source, "generation_config.json"))) as WhisperGeneration,
  };
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    throw new ModelError(`${path} is not readable JSON: ${error instanceof Error ? error.message : error}`);
  }
}

async function writeJson(path: string, value: unknown): Promise<void> {
  await writeFile(path, `${JSON.stringify(value, null, 2)}\n`);
}
