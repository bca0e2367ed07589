import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Composition } from "../eval/audio/compose.ts";
import { evaluationFiles } from "../eval/audio/evaluation.ts";
import { recordings } from "../eval/audio/recordings.ts";
import { type Benchmark, cacheDirectory, round, table, wholeNumber } from "./benchmark.ts";
import { startContender } from "./contender.ts";
import { type DemoTranscript, transcribeByDemo } from "./demo.ts";
import { prepareRivals } from "./rivals.ts";
import { findFaults } from "./transcript-faults.ts";
import { edits, normalise } from "./words.ts";

/** Points of WER by which we may be worse than faster-whisper on the same weights. */
const TOLERANCE = 1;

/** faster-whisper as people run it: its batched and its sequential pipeline, both with voice activity and a beam of 5. */
const RIVAL_SETTINGS = {
  batched: { batch_size: 8, beam_size: 5 },
  greedy: { batch_size: 8, beam_size: 1 },
  sequential: { beam_size: 5 },
} as const;

export const wer: Benchmark = {
  summary: "word error rate of the whole service (npm run demo) against faster-whisper, English and Spanish",
  help: `  --parts N      files a language that all recordings are dealt into (4)
  --files N      how many of them to use (all)
  --threads N    threads of faster-whisper (2)`,
  options: { parts: { type: "string" }, files: { type: "string" }, threads: { type: "string" } },
  run: async (options, say) => {
    const parts = wholeNumber(options, "parts", 4);
    const used = wholeNumber(options, "files", parts);
    const threads = wholeNumber(options, "threads", 2);
    const cache = cacheDirectory();
    const rivals = await prepareRivals(cache, say);
    const all = await evaluationFiles(join(cache, "audio"), await recordings(cache), parts);
    const files = all.filter((_, i) => i % parts < used);

    say(`transcribing ${files.length} files with npm run demo`);
    const transcripts = await transcribeByDemo(files.map(({ path }) => path));
    const faults = files.flatMap((file, i) =>
      findFaults(transcripts[i] as DemoTranscript, file).map((fault) => `${file.path}: ${fault}`),
    );

    const heard: Record<string, string[]> = { escriba: transcripts.map(({ text }) => text) };
    const script = fileURLToPath(new URL("python/faster_whisper_contender.py", import.meta.url));
    const contender = await startContender("faster-whisper", rivals.python, [script, rivals.ct2, String(threads)]);
    try {
      for (const [name, settings] of Object.entries(RIVAL_SETTINGS)) {
        const texts: string[] = [];
        for (const { path, language } of files) {
          say(`faster-whisper, ${name}: ${path}`);
          texts.push((await contender.ask({ file: path, language, ...settings })).text);
        }
        heard[name] = texts;
      }
    } finally {
      await contender.stop();
    }
    return report(files, heard, faults);
  },
};

function report(files: Composition[], heard: Record<string, string[]>, faults: string[]) {
  const languages = [...new Set(files.map(({ language }) => language))];
  const rates = Object.fromEntries(
    Object.entries(heard).map(([name, texts]) => [
      name,
      Object.fromEntries(languages.map((language) => [language, rate(files, texts, language)])),
    ]),
  );
  const behind = Object.fromEntries(
    Object.keys(RIVAL_SETTINGS).map((name) => [
      name,
      Object.fromEntries(
        languages.map((language) => [
          language,
          round((rates.escriba?.[language] as number) - (rates[name]?.[language] as number), 2),
        ]),
      ),
    ]),
  );
  const within = Object.values(behind).every((points) => Object.values(points).every((value) => value <= TOLERANCE));
  const rows = Object.entries(rates).map(([name, byLanguage]) => [
    name === "escriba" ? "Escriba" : `faster-whisper, ${name}`,
    ...languages.map((language) => `${byLanguage[language]?.toFixed(2)} %`),
  ]);
  const verdict = [
    `within ${TOLERANCE} point of faster-whisper: ${within ? "yes" : "NO"}`,
    ...(faults.length ? ["faults:", ...faults] : ["language, duration and word times: no fault"]),
  ];
  return {
    table: `${table([["WER", ...languages], ...rows])}\n\n${verdict.join("\n")}`,
    figures: {
      benchmark: "wer",
      wer: rates.escriba,
      faster_whisper_wer: Object.fromEntries(Object.keys(RIVAL_SETTINGS).map((name) => [name, rates[name]])),
      points_behind: behind,
      within_tolerance: within,
      faults,
      audio_seconds: round(files.reduce((sum, { samples }) => sum + samples, 0) / 16_000, 3),
      files: files.map((file, i) => ({
        path: file.path,
        language: file.language,
        words: normalise(file.text, file.language).length,
        ...Object.fromEntries(
          Object.entries(heard).map(([name, texts]) => [name, round(rate([file], [texts[i] ?? ""], file.language), 2)]),
        ),
      })),
    },
    passed: within && faults.length === 0,
  };
}

/** Edits over words of all the files of a language, in percent. */
function rate(files: Composition[], texts: string[], language: string): number {
  let [wrong, words] = [0, 0];
  for (const [i, file] of files.entries()) {
    if (file.language !== language) continue;
    const reference = normalise(file.text, language);
    wrong += edits(reference, normalise(texts[i] ?? "", language));
    words += reference.length;
  }
  return round((100 * wrong) / words, 2);
}
