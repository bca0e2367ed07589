import { join } from "node:path";
import { round, table, wholeNumber } from "../../bench/benchmark.ts";
import { transcribeAndWatch, type Watched } from "../../bench/worker-peaks.ts";
import { type Evaluation, evaluationCache } from "../evaluation.ts";
import { buildSets } from "../speech/sets/build.ts";
import { composeLong, type LongRecording } from "./compose.ts";
import { type Killed, killWorkers } from "./kills.ts";
import { type StretchStarts, stretchStarts } from "./minutes.ts";

const TARGETS = { memoryRatio: 1.1, redoneSeconds: 60 };

/** A window is at most so long. */
const WINDOW_SECONDS = 30;

export const long: Evaluation = {
  summary: "a very long recording beside a long one: memory, times at its two ends, and workers that are killed",
  help: `  --short N       minutes of the long recording (60)
  --long N        minutes of the very long one (600)
  --kills N       kills of the worker (20)
  --kill-file N   minutes of the recording under which it is killed (60)
  --only PART     memory or kills (both)
  --language L    en or es (en)`,
  options: {
    short: { type: "string" },
    long: { type: "string" },
    kills: { type: "string" },
    "kill-file": { type: "string" },
    only: { type: "string" },
    language: { type: "string" },
  },
  run: async (options, say) => {
    const { only, language = "en" } = options;
    if (only !== undefined && only !== "memory" && only !== "kills") throw new Error("--only is memory or kills");
    const minutes = {
      short: wholeNumber(options, "short", 60),
      long: wholeNumber(options, "long", 600),
      kill: wholeNumber(options, "kill-file", 60),
    };
    const kills = wholeNumber(options, "kills", 20);
    const cache = evaluationCache();
    const calls = (await buildSets({ cache, say, only: ["call"] })).filter(
      (recording) => recording.language === language && recording.condition === undefined,
    );
    const compose = (length: number) => composeLong(join(cache, "long"), calls, { minutes: length, seed: length });

    const memory =
      only === "kills" ? null : await memoryOf(await compose(minutes.short), await compose(minutes.long), say);
    const killed =
      only === "memory" ? null : await killWorkers((await compose(minutes.kill)).path, { kills, seed: 1, say });
    return report(minutes, memory, killed);
  },
};

interface Memory {
  ratio: number;
  processes: { name: string; short: number; long: number }[];
  first: StretchStarts;
  last: StretchStarts;
}

async function memoryOf(short: LongRecording, long: LongRecording, say: (line: string) => void): Promise<Memory> {
  const watched: Watched[] = [];
  for (const { path, seconds } of [short, long]) {
    say(`transcribing ${Math.round(seconds / 60)} minutes with npm run demo`);
    watched.push(await transcribeAndWatch(path));
  }
  const [small, large] = watched as [Watched, Watched];
  const processes = [...large.processes].map(([name, peak]) => ({
    name,
    short: small.processes.get(name) ?? 0,
    long: peak,
  }));
  const { words } = large.transcript;
  return {
    // A process that the shorter one did not need at all would make the ratio infinite, and should.
    ratio: Math.max(...processes.map((found) => found.long / found.short)),
    processes,
    first: stretchStarts(long.words, words, { from: 0, to: 60 }),
    last: stretchStarts(long.words, words, { from: long.seconds - 60, to: long.seconds }),
  };
}

function report(minutes: Record<"short" | "long" | "kill", number>, memory: Memory | null, killed: Killed | null) {
  const blocks: string[] = [];
  let passed = true;
  if (memory) {
    const met = memory.ratio <= TARGETS.memoryRatio;
    passed &&= met;
    const rows = memory.processes.map(({ name, short, long: longer }) => [
      name,
      `${short.toFixed(0)} MB`,
      `${longer.toFixed(0)} MB`,
      (longer / short).toFixed(3),
    ]);
    const starts = ({ p50, p95, matched, words }: StretchStarts) =>
      `p50 ${p50?.toFixed(0) ?? "—"} ms, p95 ${p95?.toFixed(0) ?? "—"} ms (${matched} of ${words} words)`;
    blocks.push(
      table([["process", `peak, ${minutes.short} min`, `peak, ${minutes.long} min`, "ratio"], ...rows]),
      `highest ratio ${memory.ratio.toFixed(3)}, at most ${TARGETS.memoryRatio}: ${met ? "met" : "MISSED"}`,
      `word starts of the first minute ${starts(memory.first)}; of the last ${starts(memory.last)}`,
    );
  }
  if (killed) {
    const redoneSeconds = killed.redoneMost * WINDOW_SECONDS;
    const met = killed.identical && killed.storedAndHeardAgain === 0 && redoneSeconds <= TARGETS.redoneSeconds;
    passed &&= met;
    blocks.push(
      `${killed.kills} kills in ${minutes.kill} minutes (${killed.windows} windows): text, words and utterances ` +
        `${killed.identical ? "byte-identical" : "DIFFERENT"}; after a kill at most ${killed.redoneMost} windows ` +
        `(${redoneSeconds} s) heard again, of those stored ${killed.storedAndHeardAgain}: ${met ? "met" : "MISSED"}`,
    );
  }
  return {
    table: blocks.join("\n\n"),
    figures: {
      evaluation: "long",
      minutes: minutes.long,
      short_minutes: minutes.short,
      memory_ratio: memory && round(memory.ratio, 4),
      processes: memory?.processes.map((found) => ({
        name: found.name,
        peak_mb_short: Math.round(found.short),
        peak_mb: Math.round(found.long),
      })),
      word_starts_first_minute: memory?.first ?? null,
      word_starts_last_minute: memory?.last ?? null,
      kills: killed?.kills ?? null,
      identical: killed?.identical ?? null,
      redone_seconds_most: killed && killed.redoneMost * WINDOW_SECONDS,
      stored_and_heard_again: killed?.storedAndHeardAgain ?? null,
    },
    passed,
  };
}
