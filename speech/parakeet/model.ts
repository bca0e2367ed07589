import { join } from "node:path";
import { InferenceSession } from "onnxruntime-node";
import { type Device, sessionOptions } from "../engine/sessions.ts";
import { Vocabulary } from "./vocabulary.ts";

/** Samples of one encoder frame: 8 features of 10 ms at 16 kHz. */
export const FRAME_SAMPLES = 1_280;

/**
 * Parakeet TDT as NVIDIA's NeMo exports it to ONNX: `nemo128.onnx` (waveforms → features), `encoder-model.onnx`,
 * `decoder_joint-model.onnx` and `vocab.txt`.
 */
export interface ParakeetModel {
  /** `waveforms` f32 [b, n], `waveforms_lens` i64 [b] → `features` f32 [b, 128, t], `features_lens` i64 [b]. */
  features: InferenceSession;
  /** `audio_signal`, `length` → `outputs` f32 [b, width, frames], `encoded_lengths` i64 [b]. */
  encoder: InferenceSession;
  /** One step: `encoder_outputs` f32 [1, width, 1], `targets` i32 [1, 1], two states → `outputs` f32 [1, 1, 1, pieces + durations]. */
  joint: InferenceSession;
  vocabulary: Vocabulary;
  /** Shapes of the prediction network's two states, [layers, 1, width]. */
  states: [number[], number[]];
}

/** Throws when a file is missing or is not Parakeet's. `threads` is what one operator may use; the encoder runs on `device`. */
export async function loadParakeet(
  directory: string,
  { threads, device }: { threads: number; device?: Device | undefined },
): Promise<ParakeetModel> {
  const options = sessionOptions(threads, device);
  const vocabulary = await Vocabulary.read(directory);
  const [features, encoder, joint] = await Promise.all([
    InferenceSession.create(join(directory, "nemo128.onnx"), sessionOptions(threads)),
    InferenceSession.create(join(directory, "encoder-model.onnx"), options),
    // Prediction network and joint on the CPU: a step is a few small products: more threads than one only wait for each other.
    InferenceSession.create(join(directory, "decoder_joint-model.onnx"), sessionOptions(1)),
  ]);
  const states = ["input_states_1", "input_states_2"].map((name) => stateShape(joint, name));
  return { features, encoder, joint, vocabulary, states: states as [number[], number[]] };
}

function stateShape(joint: InferenceSession, name: string): number[] {
  const input = joint.inputMetadata.find((one) => one.name === name);
  if (!input?.isTensor) throw new Error(`decoder_joint-model.onnx has no ${name}`);
  const [layers, , width] = input.shape;
  if (typeof layers !== "number" || typeof width !== "number") throw new Error(`${name} has no fixed shape`);
  return [layers, 1, width];
}
