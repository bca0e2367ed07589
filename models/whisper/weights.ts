/**
 * A Whisper checkpoint, whatever file it came from. Tensor names and layouts are the hub's (transformers'
 * WhisperForConditionalGeneration): linear weights [outputs, inputs], convolutions [outputs, inputs, width], all
 * row-major. Keys have no bias (Radford et al., 2022), so `k_proj.bias` does not exist.
 */
export interface WhisperWeights {
  /** Reads one tensor as 32-bit floats; throws ModelError when the checkpoint lacks it or its size is not `dims`. */
  read(name: string, dims: readonly number[]): Float32Array;
  /** Closes the files behind it. */
  close(): void;
}

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
