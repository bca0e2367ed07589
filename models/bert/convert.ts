import { copyFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { openSafetensors } from "../checkpoint/safetensors.ts";
import type { ConvertOptions } from "../convert.ts";
import { ModelError } from "../errors.ts";
import { weightBytes } from "../onnx/graph.ts";
import { writeOnnx } from "../onnx/write.ts";
import { buildSentenceGraph } from "./graph.ts";

/** Grows whenever the graph changes, so that directories made by an older converter are made anew. */
export const BERT_CONVERTER = 1;

const count = z.number().int().positive();
const Config = z.object({
  model_type: z.literal("bert"),
  hidden_act: z.literal("gelu"),
  hidden_size: count,
  intermediate_size: count,
  layer_norm_eps: z.number().positive(),
  max_position_embeddings: count,
  num_attention_heads: count,
  num_hidden_layers: count,
  vocab_size: count,
});

/**
 * A directory with the hub's files (config.json, tokenizer.json, model.safetensors) → `sentence.onnx` and
 * `tokenizer.json` (docs/architecture.md, "Models"). Throws ModelError.
 */
export async function convertSentenceEncoder(
  source: string,
  target: string,
  { onProgress, signal }: ConvertOptions,
): Promise<void> {
  const config = Config.safeParse(JSON.parse(await readFile(join(source, "config.json"), "utf8")));
  if (!config.success) throw new ModelError(`config.json is not of a BERT encoder: ${config.error.message}`);
  const weights = openSafetensors(join(source, "model.safetensors"));
  try {
    const graph = buildSentenceGraph(config.data, weights);
    const total = weightBytes(graph);
    let done = 0;
    await writeOnnx(graph, join(target, "sentence.onnx"), {
      producer: "escriba",
      version: String(BERT_CONVERTER),
      ...(signal && { signal }),
      onBytes: (bytes) => {
        done += bytes;
        onProgress?.(done, total, "sentence.onnx");
      },
    });
    await copyFile(join(source, "tokenizer.json"), join(target, "tokenizer.json"));
  } finally {
    weights.close();
  }
}
