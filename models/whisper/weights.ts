import type { Weights } from "../checkpoint/weights.ts";

/**
 * A Whisper checkpoint. Tensor names and layouts are the hub's (transformers' WhisperForConditionalGeneration);
 * convolutions are [outputs, inputs, width]. Keys have no bias (Radford et al., 2022), so `k_proj.bias` does not exist.
 */
export type WhisperWeights = Weights;

/** config.json as on the hub: the fields the graphs are built from. */
export interface WhisperConfig {
  d_model: number;
  encoder_layers: number;
  decoder_layers: number;
  encoder_attention_heads: number;
  decoder_attention_heads: number;
  encoder_ffn_dim: number;
  decoder_ffn_dim: number;
  num_mel_bins: number;
  max_source_positions: number;
  max_target_positions: number;
  vocab_size: number;
}

/** generation_config.json as on the hub: the fields the graphs are built from. */
export interface WhisperGeneration {
  /** [layer, head] pairs whose cross attention follows time. */
  alignment_heads: [number, number][];
  suppress_tokens: number[];
}
