import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** A Whisper with random weights, one second long, small enough to convert and run in a moment. */
export const TINY = {
  d_model: 64,
  encoder_layers: 2,
  decoder_layers: 2,
  encoder_attention_heads: 2,
  decoder_attention_heads: 2,
  encoder_ffn_dim: 96, // not a multiple of the block of 64: the last block is padded
  decoder_ffn_dim: 128,
  num_mel_bins: 20,
  max_source_positions: 50,
  max_target_positions: 16,
  vocab_size: 120,
};
export const TINY_SUPPRESSED = [3, 50, 51];
export const TINY_HEADS: [number, number][] = [
  [1, 0],
  [0, 1],
  [1, 1],
];

const SPECIAL = ["<|endoftext|>", "<|startoftranscript|>", "<|translate|>", "<|transcribe|>", "<|startofprev|>"];
const ADDED = [...SPECIAL, "<|notimestamps|>"].map((content, i) => ({ id: 100 + i, content }));

interface Tensor {
  dims: number[];
  values: Float16Array;
}

/** The hub's tensors by name, the same at every call. */
export function tinyTensors(): Map<string, Tensor> {
  const tensors = new Map<string, Tensor>();
  const random = generator(7);
  const add = (name: string, dims: number[], spread = dims.length > 1 ? 0.2 : 0.1) => {
    const values = Float16Array.from({ length: dims.reduce((a, b) => a * b) }, () => random() * spread);
    tensors.set(name, { dims, values });
  };
  const norm = (name: string) => {
    add(`${name}.weight`, [TINY.d_model]);
    const weight = tensors.get(`${name}.weight`) as Tensor;
    weight.values = weight.values.map((value) => value + 1);
    add(`${name}.bias`, [TINY.d_model]);
  };
  const linear = (name: string, outputs: number, inputs: number, bias = true) => {
    add(`${name}.weight`, [outputs, inputs]);
    if (bias) add(`${name}.bias`, [outputs]);
  };
  const attention = (name: string) => {
    norm(`${name}_layer_norm`);
    for (const kind of ["q_proj", "k_proj", "v_proj", "out_proj"]) {
      linear(`${name}.${kind}`, TINY.d_model, TINY.d_model, kind !== "k_proj");
    }
  };
  const feedForward = (name: string, inner: number) => {
    norm(`${name}.final_layer_norm`);
    linear(`${name}.fc1`, inner, TINY.d_model);
    linear(`${name}.fc2`, TINY.d_model, inner);
  };
  add("model.encoder.conv1.weight", [TINY.d_model, TINY.num_mel_bins, 3]);
  add("model.encoder.conv1.bias", [TINY.d_model]);
  add("model.encoder.conv2.weight", [TINY.d_model, TINY.d_model, 3]);
  add("model.encoder.conv2.bias", [TINY.d_model]);
  add("model.encoder.embed_positions.weight", [TINY.max_source_positions, TINY.d_model]);
  for (let layer = 0; layer < TINY.encoder_layers; layer++) {
    attention(`model.encoder.layers.${layer}.self_attn`);
    feedForward(`model.encoder.layers.${layer}`, TINY.encoder_ffn_dim);
  }
  norm("model.encoder.layer_norm");
  add("model.decoder.embed_tokens.weight", [TINY.vocab_size, TINY.d_model], 1);
  add("model.decoder.embed_positions.weight", [TINY.max_target_positions, TINY.d_model], 1);
  for (let layer = 0; layer < TINY.decoder_layers; layer++) {
    attention(`model.decoder.layers.${layer}.self_attn`);
    attention(`model.decoder.layers.${layer}.encoder_attn`);
    feedForward(`model.decoder.layers.${layer}`, TINY.decoder_ffn_dim);
  }
  norm("model.decoder.layer_norm");
  return tensors;
}

/** config.json, generation_config.json, tokenizer.json and model.safetensors, as on the hub. */
export async function writeHubTiny(directory: string, format: "F16" | "F32" | "BF16" = "F16"): Promise<void> {
  await mkdir(directory, { recursive: true });
  const generation = { alignment_heads: TINY_HEADS, suppress_tokens: TINY_SUPPRESSED, begin_suppress_tokens: [9] };
  await writeJson(join(directory, "config.json"), TINY);
  await writeJson(join(directory, "generation_config.json"), generation);
  await writeJson(join(directory, "tokenizer.json"), { added_tokens: ADDED });
  const encoded = [...tinyTensors()].map(([name, { dims, values }]) => ({ name, dims, bytes: encode(values, format) }));
  await writeFile(join(directory, "model.safetensors"), safetensors(encoded, format));
}

export function safetensors(tensors: { name: string; dims: number[]; bytes: Buffer }[], dtype: string): Buffer {
  let end = 0;
  const header: Record<string, unknown> = { __metadata__: { format: "pt" } };
  for (const { name, dims, bytes } of tensors) {
    header[name] = { dtype, shape: dims, data_offsets: [end, end + bytes.length] };
    end += bytes.length;
  }
  const text = Buffer.from(JSON.stringify(header));
  return Buffer.concat([u64(text.length), text, ...tensors.map(({ bytes }) => bytes)]);
}

/** config.json, tokenizer.json and model.bin cut into `parts`, as CTranslate2's converter writes them. */
export async function writeCTranslate2Tiny(directory: string, parts: number): Promise<string[]> {
  await mkdir(directory, { recursive: true });
  const metadata = { alignment_heads: TINY_HEADS, suppress_ids: TINY_SUPPRESSED, suppress_ids_begin: [9] };
  await writeJson(join(directory, "config.json"), metadata);
  await writeJson(join(directory, "tokenizer.json"), { added_tokens: ADDED });
  const model = ctranslate2Model();
  const size = Math.ceil(model.length / parts);
  const names = Array.from({ length: parts }, (_, part) => `model.bin.${part + 1}`);
  for (const [part, name] of names.entries()) {
    await writeFile(join(directory, name), model.subarray(part * size, (part + 1) * size));
  }
  return names;
}

export function ctranslate2Model(): Buffer {
  const hub = tinyTensors();
  const out: Buffer[] = [u32(6), text("WhisperSpec"), u32(3)];
  const variables: Buffer[] = [];
  const variable = (name: string, dims: number[], type: number, bytes: Buffer) =>
    variables.push(
      Buffer.concat([text(name), Buffer.of(dims.length), ...dims.map(u32), Buffer.of(type), u32(bytes.length), bytes]),
    );
  const rows = (name: string, ...sources: string[]) => {
    const found = sources.map((source) => hub.get(source) ?? zeros(source));
    const first = (found[0] as Tensor).dims;
    const dims = [found.reduce((sum, { dims }) => sum + (dims[0] as number), 0), ...first.slice(1)];
    variable(name, dims, 4, Buffer.concat(found.map(({ values }) => encode(values, "F16"))));
  };
  const norm = (name: string, source: string) => {
    rows(`${name}/gamma`, `${source}.weight`);
    rows(`${name}/beta`, `${source}.bias`);
  };
  const linear = (name: string, ...sources: string[]) => {
    rows(`${name}/weight`, ...sources.map((source) => `${source}.weight`));
    rows(`${name}/bias`, ...sources.map((source) => `${source}.bias`));
  };
  for (const side of ["encoder", "decoder"] as const) {
    variable(`${side}/num_heads`, [], 1, Buffer.of(2));
    rows(`${side}/position_encodings/encodings`, `model.${side}.embed_positions.weight`);
    norm(`${side}/layer_norm`, `model.${side}.layer_norm`);
    for (let layer = 0; layer < 2; layer++) {
      const [to, from] = [`${side}/layer_${layer}`, `model.${side}.layers.${layer}`];
      norm(`${to}/self_attention/layer_norm`, `${from}.self_attn_layer_norm`);
      linear(`${to}/self_attention/linear_0`, ...["q", "k", "v"].map((kind) => `${from}.self_attn.${kind}_proj`));
      linear(`${to}/self_attention/linear_1`, `${from}.self_attn.out_proj`);
      norm(`${to}/ffn/layer_norm`, `${from}.final_layer_norm`);
      linear(`${to}/ffn/linear_0`, `${from}.fc1`);
      linear(`${to}/ffn/linear_1`, `${from}.fc2`);
      if (side === "encoder") continue;
      norm(`${to}/attention/layer_norm`, `${from}.encoder_attn_layer_norm`);
      linear(`${to}/attention/linear_0`, `${from}.encoder_attn.q_proj`);
      linear(`${to}/attention/linear_1`, `${from}.encoder_attn.k_proj`, `${from}.encoder_attn.v_proj`);
      linear(`${to}/attention/linear_2`, `${from}.encoder_attn.out_proj`);
    }
  }
  for (const conv of ["conv1", "conv2"]) linear(`encoder/${conv}`, `model.encoder.${conv}`);
  rows("decoder/embeddings/weight", "model.decoder.embed_tokens.weight");
  out.push(u32(variables.length), ...variables);
  out.push(u32(1), text("decoder/projection/weight"), text("decoder/embeddings/weight"));
  return Buffer.concat(out);
}

/** Keys have no bias on the hub; CTranslate2 stores zeros. */
function zeros(name: string): Tensor {
  if (!name.endsWith("k_proj.bias")) throw new Error(`the tiny Whisper has no ${name}`);
  return { dims: [TINY.d_model], values: new Float16Array(TINY.d_model) };
}

export function encode(values: Float16Array, format: "F16" | "F32" | "BF16"): Buffer {
  const f32 = Float32Array.from(values);
  if (format === "F16") return Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  if (format === "F32") return Buffer.from(f32.buffer);
  return Buffer.from(Uint16Array.from(new Uint32Array(f32.buffer), (bits) => bits >>> 16).buffer);
}

/** Lehmer's generator: -1 … 1, the same on every machine. */
export function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return (state / 2_147_483_647) * 2 - 1;
  };
}

const u32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer);
const u64 = (value: number) => Buffer.from(BigUint64Array.of(BigInt(value)).buffer);
const text = (value: string) =>
  Buffer.concat([Buffer.from(Uint16Array.of(value.length + 1).buffer), Buffer.from(`${value}\0`)]);

async function writeJson(path: string, value: unknown): Promise<void> {
  await writeFile(path, JSON.stringify(value));
}
