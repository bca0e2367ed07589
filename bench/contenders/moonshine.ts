import { loadFamily } from "../../speech/recognition/load.ts";
import { readPieces, type Windows } from "./pieces.ts";
import { serve } from "./serve.ts";

/**
 * Our Moonshine by itself, on speech that was found before: what sherpa-onnx does in its contender.
 * usage: moonshine.ts MODEL_DIRECTORY THREADS
 */
const [directory, threads] = process.argv.slice(2) as [string, string];
const family = await loadFamily("moonshine-tiny", directory, { threads: Number(threads) });

await serve(async ({ file, windows }) => {
  const started = performance.now();
  const texts: string[] = [];
  for (const { spans, audio } of await readPieces(file as string, windows as Windows)) {
    texts.push((await family.hear(spans, audio, () => undefined)).text);
  }
  return { seconds: (performance.now() - started) / 1_000, text: texts.join(" "), language: null };
});
