import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { compose } from "../eval/audio/compose.ts";
import { chosenRecordings, OWN_SPEECH, OWN_SPEECH_HELP } from "../eval/audio/recordings.ts";
import { besideSherpa } from "./asr/beside-sherpa.ts";
import { makeClips } from "./asr/clips.ts";
import { Company } from "./asr/company.ts";
import { about } from "./asr/fastest.ts";
import { startFasterWhisper, startOurs } from "./asr/field.ts";
import { longFile } from "./asr/long-file.ts";
import { memoryOverFiles } from "./asr/memory-over-files.ts";
import type { Bench, PartReport } from "./asr/part.ts";
import { shortClips } from "./asr/short-clips.ts";
import { FEWEST_FILES } from "./asr/slope.ts";
import { judge } from "./asr/targets.ts";
import { type Benchmark, cacheDirectory, round, wholeNumber } from "./benchmark.ts";
import { prepareRivals } from "./rivals.ts";

const PARTS = ["long", "short", "sherpa", "slope"] as const;
type Part = (typeof PARTS)[number];

/** Names that are in the JSON whatever was measured. */
const FIGURES = [
  "rtf",
  "rtf_with_embeddings",
  "transformersjs_rtf",
  "faster_whisper_rtf",
  "short_rtf",
  "faster_whisper_short_rtf",
  "sherpa_rtf",
  "peak_rss_mb",
  "rss_slope_mb_per_100_files",
];

export const asr: Benchmark = {
  summary: "speed against transformers.js, faster-whisper and sherpa-onnx on the same audio and weights; memory",
  help: `  --minutes N      length of the long file (10)
  --clips N        short clips (40)
  --slope-files N  files over which the growth of memory is measured (200)
  --runs N         interleaved runs, of which the median counts (5)
  --threads N      threads of every contender (2)
  --only PARTS     some of ${PARTS.join(",")} (all)
${OWN_SPEECH_HELP}`,
  options: {
    minutes: { type: "string" },
    clips: { type: "string" },
    "slope-files": { type: "string" },
    runs: { type: "string" },
    threads: { type: "string" },
    only: { type: "string" },
    ...OWN_SPEECH,
  },
  run: async (options, say) => {
    const minutes = wholeNumber(options, "minutes", 10);
    const count = wholeNumber(options, "clips", 40);
    const slopeFiles = wholeNumber(options, "slope-files", 200);
    if (slopeFiles < FEWEST_FILES) throw new Error(`--slope-files wants at least ${FEWEST_FILES}`);
    const runs = wholeNumber(options, "runs", 5);
    const threads = wholeNumber(options, "threads", 2);
    const parts = chosenParts(options.only);
    const load = { before: loadAverage() };
    say(`load average ${load.before.join(" ")} on ${cpus().length} cores`);

    const cache = cacheDirectory();
    const audio = join(cache, "audio");
    const speech = await chosenRecordings(options, cache);
    const long = await compose(audio, "long", speech, { seconds: 60 * minutes, seed: 1 });
    const short = await compose(audio, "warm-up", speech, { seconds: 60, seed: 2 });
    const clips = await makeClips(audio, speech, count);

    const company = new Company();
    const bench: Bench = { company, runs, threads, cache, say };
    const reports: Partial<Record<Part, PartReport>> = {};
    try {
      if (parts.has("slope")) reports.slope = await memoryOverFiles(bench, clips, slopeFiles);
      if (parts.has("long") || parts.has("short") || parts.has("sherpa")) {
        const ours = await startOurs(bench, { voices: false });
        await ours.ask(about(short));
        if (parts.has("long") || parts.has("short")) {
          const rivals = await prepareRivals(cache, say);
          const withVoices = await startOurs(bench, { voices: true });
          await withVoices.ask(about(short));
          const fasterWhisper = await startFasterWhisper(bench, rivals);
          await fasterWhisper.ask({ ...about(short), batch_size: 4, beam_size: 1 });
          const field = { ours, withVoices, fasterWhisper };
          if (parts.has("long")) reports.long = await longFile(bench, field, rivals, { short, long });
          if (parts.has("short")) reports.short = await shortClips(bench, field, clips, long.language);
        }
        if (parts.has("sherpa")) reports.sherpa = await besideSherpa(bench, ours, long);
      }
    } finally {
      await company.dismissAll();
    }
    const figures: Record<string, unknown> = {
      benchmark: "asr",
      ...Object.fromEntries(FIGURES.map((name) => [name, null])),
      ...Object.assign({}, ...PARTS.map((part) => reports[part]?.figures)),
      language: long.language,
      runs,
      threads,
      cores: cpus().length,
      cpu: cpus()[0]?.model ?? "",
      load_average: { ...load, after: loadAverage() },
    };
    const reasons = Object.assign({}, ...PARTS.map((part) => reports[part]?.reasons));
    const { passed, table } = judge(figures, reasons);
    const tables = PARTS.flatMap((part) => (reports[part] ? [`${TITLES[part]}\n${reports[part].table}`] : []));
    const state = `median of ${runs} runs, ${threads} threads; load average before ${load.before.join(" ")}`;
    return {
      table: [...tables, state, table].join("\n\n"),
      figures: { ...figures, targets_met: passed },
      passed,
    };
  },
};

const TITLES: Record<Part, string> = {
  long: "LONG FILE",
  short: "SHORT CLIPS",
  sherpa: "MOONSHINE TINY, BESIDE SHERPA-ONNX",
  slope: "MEMORY",
};

/** Over 1, 5 and 15 minutes; a machine that is at work makes all figures worth less. */
const loadAverage = () => loadavg().map((value) => round(value, 2));

function chosenParts(only: string | undefined): Set<Part> {
  if (only === undefined) return new Set(PARTS);
  const names = only.split(",");
  const wrong = names.find((name) => !(PARTS as readonly string[]).includes(name));
  if (wrong !== undefined) throw new Error(`--only knows ${PARTS.join(", ")}, not ${JSON.stringify(wrong)}`);
  return new Set(names as Part[]);
}
