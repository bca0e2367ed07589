import { rename } from "node:fs/promises";
import { join } from "node:path";
import { BERT_CONVERTER, convertSentenceEncoder } from "./bert/convert.ts";
import { CAMPPLUS_CONVERTER, convertSpeakerEncoder } from "./campplus/convert.ts";
import type { Format } from "./catalogue.ts";
import {
  type ConvertOptions,
  convertCTranslate2Whisper,
  convertHubWhisper,
  WHISPER_CONVERTER,
} from "./whisper/convert.ts";

export type { ConvertOptions };

interface Converter {
  /** Written into escriba.json; a directory made by another version is made anew. */
  version: string;
  /** `source` holds the source's files under their `as` names, `files`; `target` is an empty directory beside it. */
  run(source: string, files: readonly string[], target: string, options: ConvertOptions): Promise<void>;
}

export const CONVERTERS: Record<Format, Converter> = {
  copy: {
    version: "copy/1",
    run: async (source, files, target) => {
      for (const file of files) await rename(join(source, file), join(target, file));
    },
  },
  "bert-hub": {
    version: `bert/${BERT_CONVERTER}`,
    run: (source, _files, target, options) => convertSentenceEncoder(source, target, options),
  },
  "campplus-pytorch": {
    version: `campplus/${CAMPPLUS_CONVERTER}`,
    run: (source, _files, target, options) => convertSpeakerEncoder(source, target, options),
  },
  "whisper-hub": {
    version: `whisper/${WHISPER_CONVERTER}`,
    run: (source, _files, target, options) => convertHubWhisper(source, target, options),
  },
  "whisper-ctranslate2": {
    version: `whisper/${WHISPER_CONVERTER}`,
    run: (source, files, target, options) => {
      const parts = files.filter((file) => file.startsWith("model.bin")).sort();
      return convertCTranslate2Whisper(source, parts, target, options);
    },
  },
};
