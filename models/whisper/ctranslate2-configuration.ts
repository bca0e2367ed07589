import { ModelError } from "../errors.ts";
import type { CTranslate2Weights } from "./ctranslate2.ts";
import type { WhisperConfig, WhisperGeneration } from "./weights.ts";

/** What CTranslate2's converter keeps of generation_config.json (its own config.json). */
export interface CTranslate2Metadata {
  suppress_ids: number[];
  suppress_ids_begin: number[];
  lang_ids?: number[];
  alignment_heads: [number, number][];
}

/** The parts of the hub's tokenizer.json that are needed here. */
export interface Tokenizer {
  added_tokens: { id: number; content: string }[];
}

/** From this size on, a Whisper vocabulary has the language tokens. */
const MULTILINGUAL_VOCABULARY = 51_865;

/** config.json and generation_config.json as the hub has them, from what a CTranslate2 directory says. */
export function hubConfiguration(
  weights: CTranslate2Weights,
  metadata: CTranslate2Metadata,
  tokenizer: Tokenizer,
): { config: WhisperConfig; generation: WhisperGeneration } {
  const dims = (variable: string, axis: number) => {
    const size = weights.dims(variable)?.[axis];
    if (size === undefined) throw new ModelError(`the CTranslate2 model has no ${variable}`);
    return size;
  };
  const ids = new Map(tokenizer.added_tokens.map(({ content, id }) => [content, id]));
  const id = (token: string) => {
    const found = ids.get(token);
    if (found === undefined) throw new ModelError(`tokenizer.json has no token ${token}`);
    return found;
  };
  const vocabulary = dims("decoder/embeddings/weight", 0);
  const multilingual = vocabulary >= MULTILINGUAL_VOCABULARY;
  const targetPositions = dims("decoder/position_encodings/encodings", 0);
  const tokens = {
    bos_token_id: id("<|endoftext|>"),
    eos_token_id: id("<|endoftext|>"),
    pad_token_id: id("<|endoftext|>"),
    decoder_start_token_id: id("<|startoftranscript|>"),
  };
  const config = {
    architectures: ["WhisperForConditionalGeneration"],
    model_type: "whisper",
    activation_function: "gelu",
    d_model: dims("decoder/embeddings/weight", 1),
    encoder_layers: weights.layers("encoder"),
    decoder_layers: weights.layers("decoder"),
    num_hidden_layers: weights.layers("encoder"),
    encoder_attention_heads: weights.integer("encoder/num_heads"),
    decoder_attention_heads: weights.integer("decoder/num_heads"),
    encoder_ffn_dim: dims("encoder/layer_0/ffn/linear_0/bias", 0),
    decoder_ffn_dim: dims("decoder/layer_0/ffn/linear_0/bias", 0),
    num_mel_bins: dims("encoder/conv1/weight", 1),
    max_source_positions: dims("encoder/position_encodings/encodings", 0),
    max_target_positions: targetPositions,
    max_length: targetPositions,
    vocab_size: vocabulary,
    is_encoder_decoder: true,
    scale_embedding: false,
    use_cache: true,
    median_filter_width: 7,
    ...tokens,
  };
  const languages = new Set(metadata.lang_ids);
  const generation = {
    ...tokens,
    alignment_heads: metadata.alignment_heads,
    suppress_tokens: metadata.suppress_ids,
    begin_suppress_tokens: metadata.suppress_ids_begin,
    is_multilingual: multilingual,
    no_timestamps_token_id: id("<|notimestamps|>"),
    prev_sot_token_id: id("<|startofprev|>"),
    max_initial_timestamp_index: 50,
    max_length: targetPositions,
    return_timestamps: false,
    ...(multilingual && {
      lang_to_id: Object.fromEntries([...ids].filter(([, token]) => languages.has(token))),
      task_to_id: { transcribe: id("<|transcribe|>"), translate: id("<|translate|>") },
    }),
  };
  return { config, generation };
}
