import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { InferenceSession } from "onnxruntime-node";
import { type Device, sessionOptions } from "../engine/sessions.ts";
import { Vocabulary } from "./vocabulary.ts";

/** Whisper hears exactly this much at a time. */
export const WINDOW_SAMPLES = 480_000;
/** Positions the encoder makes of a window: 20 ms each. */
export const FRAMES = 1_500;

/** The split graph of docs/architecture.md ("Models"), loaded. */
export interface WhisperModel {
  /** audio → cross keys and values, one window a run. */
  encoder: InferenceSession;
  /** One decoder step for any number of rows. */
  decoder: InferenceSession;
  shape: DecoderShape;
  tokens: ControlTokens;
  vocabulary: Vocabulary;
  /** False for models that know English only, whatever tokens their vocabulary lists. */
  multilingual: boolean;
}

export interface DecoderShape {
  layers: number;
  heads: number;
  headDim: number;
  vocabulary: number;
  /** Heads whose cross attention follows the audio, the rows of the `attention` output. */
  alignmentHeads: number;
  /** Positions the decoder has, prompt included. */
  positions: number;
}

export interface ControlTokens {
  startOfTranscript: number;
  endOfText: number;
  transcribe: number;
  noTimestamps: number;
  /** `<|0.00|>`; each further token is 20 ms later. */
  firstTimestamp: number;
  /** What a text never starts with: a space and its own end. */
  neverFirst: number[];
  /** Latest first timestamp, in steps of 20 ms (1 s). */
  latestFirstTimestamp: number;
}

/** Throws when a file is missing or is not Whisper's. `threads` is what one operator may use; the encoder runs on `device`. */
export async function loadWhisper(
  directory: string,
  { threads, device }: { threads: number; device?: Device | undefined },
): Promise<WhisperModel> {
  const config = await readJson<ConfigFile>(directory, "config.json");
  const generation = await readJson<GenerationFile>(directory, "generation_config.json");
  const vocabulary = await Vocabulary.read(directory);
  const [encoder, decoder] = await Promise.all([
    InferenceSession.create(join(directory, "encode.onnx"), sessionOptions(threads, device)),
    InferenceSession.create(join(directory, "step.onnx"), sessionOptions(threads)),
  ]);
  const heads = config.decoder_attention_heads;
  return {
    encoder,
    decoder,
    vocabulary,
    multilingual: generation.is_multilingual !== false,
    shape: {
      layers: config.decoder_layers,
      heads,
      headDim: config.d_model / heads,
      vocabulary: config.vocab_size,
      alignmentHeads: generation.alignment_heads.length,
      positions: config.max_target_positions,
    },
    tokens: {
      startOfTranscript: generation.decoder_start_token_id,
      endOfText: [generation.eos_token_id].flat()[0] as number,
      transcribe: generation.task_to_id.transcribe,
      noTimestamps: generation.no_timestamps_token_id,
      firstTimestamp: generation.no_timestamps_token_id + 1,
      neverFirst: generation.begin_suppress_tokens,
      latestFirstTimestamp: generation.max_initial_timestamp_index,
    },
  };
}

async function readJson<T>(directory: string, name: string): Promise<T> {
  return JSON.parse(await readFile(join(directory, name), "utf8")) as T;
}

interface ConfigFile {
  d_model: number;
  decoder_layers: number;
  decoder_attention_heads: number;
  max_target_positions: number;
  vocab_size: number;
}

interface GenerationFile {
  decoder_start_token_id: number;
  eos_token_id: number | number[];
  task_to_id: { transcribe: number };
  no_timestamps_token_id: number;
  is_multilingual?: boolean;
  begin_suppress_tokens: number[];
  max_initial_timestamp_index: number;
  alignment_heads: [number, number][];
}
