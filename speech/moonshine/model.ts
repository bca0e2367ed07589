import { join } from "node:path";
import { InferenceSession } from "onnxruntime-node";
import { type Device, sessionOptions } from "../engine/sessions.ts";
import { Vocabulary } from "./vocabulary.ts";

/** Moonshine in the hub's layout: `encoder_model.onnx`, `decoder_model_merged.onnx`, `tokenizer.json`. */
export interface MoonshineModel {
  /** `input_values` f32 [1, samples] → `last_hidden_state` [1, frames, width]. */
  encoder: InferenceSession;
  /** `input_ids` i64 [1, n] and the caches `past_key_values.*` → `logits` [1, n, vocabulary] and `present.*`. */
  decoder: InferenceSession;
  vocabulary: Vocabulary;
  /** Names of the caches, without `past_key_values.`, and the shape of an empty one. */
  caches: { name: string; shape: number[] }[];
}

/** Throws when a file is missing or is not Moonshine's. `threads` is what one operator may use; the encoder runs on `device`. */
export async function loadMoonshine(
  directory: string,
  { threads, device }: { threads: number; device?: Device | undefined },
): Promise<MoonshineModel> {
  const options = sessionOptions(threads, device);
  const vocabulary = await Vocabulary.read(directory);
  const [encoder, decoder] = await Promise.all([
    InferenceSession.create(join(directory, "encoder_model.onnx"), options),
    InferenceSession.create(join(directory, "decoder_model_merged.onnx"), sessionOptions(threads)),
  ]);
  const caches = decoder.inputMetadata.flatMap((input) => {
    if (!input.isTensor || !input.name.startsWith(PAST)) return [];
    const [, heads, , width] = input.shape;
    if (typeof heads !== "number" || typeof width !== "number") throw new Error(`${input.name} has no fixed shape`);
    return [{ name: input.name.slice(PAST.length), shape: [1, heads, 0, width] }];
  });
  if (caches.length === 0) throw new Error("decoder_model_merged.onnx has no caches");
  return { encoder, decoder, vocabulary, caches };
}

export const PAST = "past_key_values.";
export const PRESENT = "present.";
