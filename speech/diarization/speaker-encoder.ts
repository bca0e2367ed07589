import { join } from "node:path";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { sessionOptions } from "../engine/sessions.ts";
import type { Span } from "../types.ts";
import type { Voiceprints } from "./voiceprints.ts";
import { voiceWindows } from "./windows.ts";

/** Voices to vectors. Every encoder behind it takes samples, so that its features are its own affair. */
export interface SpeakerEncoder {
  /**
   * Vectors of the voices in a packed window of speech (`spans` laid end to end in `audio`), one a stretch of 0.5 to
   * 2 s. The same samples give the same vectors whatever else is asked.
   */
  embed(spans: readonly Span[], audio: Float32Array): Promise<Voiceprints>;
}

/** Loads `speaker.onnx` (docs/architecture.md, "Models"). */
export async function loadSpeakerEncoder(directory: string): Promise<SpeakerEncoder> {
  // The network has hundreds of small operators: a second thread gains nothing and costs a quarter more processor time.
  const session = await InferenceSession.create(join(directory, "speaker.onnx"), sessionOptions(1));
  return {
    async embed(spans, audio) {
      const found = voiceWindows(spans, audio);
      const rows: Float32Array[] = [];
      // One a run: stretches differ in length, and a row must not depend on its neighbours.
      for (const { heard } of found) {
        const samples = audio.slice(heard.start, heard.end);
        const outputs = await session.run({ audio: new Tensor("float32", samples, [1, samples.length]) });
        rows.push(toUnitLength(outputs.embedding?.data as Float32Array));
      }
      const width = rows[0]?.length ?? 0;
      const vectors = new Float32Array(rows.length * width);
      for (const [i, row] of rows.entries()) vectors.set(row, i * width);
      return { windows: found.map(({ start, end }) => ({ start, end })), vectors, width };
    },
  };
}

function toUnitLength(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}
