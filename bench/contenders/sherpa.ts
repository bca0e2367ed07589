import { createRequire } from "node:module";
import { join } from "node:path";
import { readPieces, type Windows } from "./pieces.ts";
import { serve } from "./serve.ts";

/**
 * sherpa-onnx's Moonshine on speech that was found before, a stream a span, as its documentation does behind voice
 * activity. usage: sherpa.ts PACKAGE_DIRECTORY MODEL_DIRECTORY TOKENS_FILE THREADS
 */
const [home, model, tokens, threads] = process.argv.slice(2) as [string, string, string, string];

interface Sherpa {
  OfflineRecognizer: new (config: object) => Recognizer;
}
interface Recognizer {
  createStream(): { acceptWaveform(wave: { sampleRate: number; samples: Float32Array }): void };
  decode(stream: object): void;
  getResult(stream: object): { text: string };
}

const { OfflineRecognizer } = createRequire(join(home, "package.json"))("sherpa-onnx-node") as Sherpa;
// With a merged decoder it takes the files as the model's own two graphs are (its "v2" layout).
const recognizer = new OfflineRecognizer({
  featConfig: { sampleRate: 16_000, featureDim: 80 },
  modelConfig: {
    moonshine: {
      encoder: join(model, "encoder_model.onnx"),
      mergedDecoder: join(model, "decoder_model_merged.onnx"),
    },
    tokens,
    numThreads: Number(threads),
    provider: "cpu",
  },
});

await serve(async ({ file, windows }) => {
  const started = performance.now();
  const texts: string[] = [];
  for (const { spans, audio } of await readPieces(file as string, windows as Windows)) {
    let at = 0;
    for (const { start, end } of spans) {
      const stream = recognizer.createStream();
      stream.acceptWaveform({ sampleRate: 16_000, samples: audio.slice(at, at + end - start) });
      recognizer.decode(stream);
      texts.push(recognizer.getResult(stream).text.trim());
      at += end - start;
    }
  }
  return { seconds: (performance.now() - started) / 1_000, text: texts.join(" "), language: null };
});
