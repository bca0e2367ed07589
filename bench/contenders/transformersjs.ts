import { basename, dirname } from "node:path";
import { env, pipeline } from "@huggingface/transformers";
import { readWav } from "../../eval/audio/wav.ts";
import { serve } from "./serve.ts";

/**
 * transformers.js as its documentation uses it on long files: the speech recognition pipeline with chunks of 30 s and
 * strides of 5 s. usage: transformersjs.ts MODEL_DIRECTORY DTYPE THREADS, DTYPE as in its `dtype` (fp32, q8) or two of
 * them, encoder and decoder, with a comma.
 */
const [directory, dtype, threads] = process.argv.slice(2) as [string, string, string];
const [encoder, decoder = encoder] = dtype.split(",") as [DataType, DataType?];
type DataType = "fp32" | "q8";

// As an installation without a network would: models from a directory, none from the hub.
env.allowRemoteModels = false;
env.localModelPath = dirname(directory);

const transcribe = await pipeline("automatic-speech-recognition", basename(directory), {
  device: "cpu",
  dtype: { encoder_model: encoder, decoder_model_merged: decoder },
  session_options: { intraOpNumThreads: Number(threads), interOpNumThreads: 1 },
});

await serve(async ({ file, language, timestamps }) => {
  const started = performance.now();
  const { samples } = await readWav(file as string);
  const audio = Float32Array.from(samples, (sample) => sample / 32_768);
  // It identifies no language: told none, it takes English.
  const output = await transcribe(audio, {
    chunk_length_s: 30,
    stride_length_s: 5,
    language,
    task: "transcribe",
    // Without timestamps Whisper stops early on windows with pauses, and half of the words are missing.
    return_timestamps: timestamps === true,
  });
  const { text } = Array.isArray(output) ? { text: output.map((part) => part.text).join(" ") } : output;
  return { seconds: (performance.now() - started) / 1_000, text: text.trim(), language: null };
});
