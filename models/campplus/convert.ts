import { join } from "node:path";
import { openPyTorch } from "../checkpoint/pytorch.ts";
import type { ConvertOptions } from "../convert.ts";
import { weightBytes } from "../onnx/graph.ts";
import { writeOnnx } from "../onnx/write.ts";
import { buildSpeakerGraph } from "./graph.ts";

/** Grows whenever the graph changes, so that directories made by an older converter are made anew. */
export const CAMPPLUS_CONVERTER = 1;

/**
 * A directory with 3D-Speaker's checkpoint (model.pt) → `speaker.onnx` (docs/architecture.md, "Models"). Throws
 * ModelError.
 */
export async function convertSpeakerEncoder(
  source: string,
  target: string,
  { onProgress, signal }: ConvertOptions,
): Promise<void> {
  const weights = openPyTorch(join(source, "model.pt"));
  try {
    const graph = buildSpeakerGraph(weights);
    const total = weightBytes(graph);
    let done = 0;
    await writeOnnx(graph, join(target, "speaker.onnx"), {
      producer: "escriba",
      version: String(CAMPPLUS_CONVERTER),
      ...(signal && { signal }),
      onBytes: (bytes) => {
        done += bytes;
        onProgress?.(done, total, "speaker.onnx");
      },
    });
  } finally {
    weights.close();
  }
}
