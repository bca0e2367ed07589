import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { compose } from "./audio/compose.ts";
import { chosenRecordings, OWN_SPEECH, OWN_SPEECH_HELP } from "./audio/recordings.ts";
import { type Benchmark, cacheDirectory, round, table, wholeNumber } from "./benchmark.ts";
import { transcribeByDemo } from "./demo.ts";
import { type ProcessFacts, processTree } from "./processes.ts";

/** A long file may need this much more than a short one: memory follows the batch and not the file. */
const MOST = 1.2;

export const memory: Benchmark = {
  summary: "most memory the workers hold for a long file and for a short one",
  help: `  --short N      minutes of the short file (10)
  --long N       minutes of the long file (120)
${OWN_SPEECH_HELP}`,
  options: { short: { type: "string" }, long: { type: "string" }, ...OWN_SPEECH },
  run: async (options, say) => {
    const cache = cacheDirectory();
    const speech = await chosenRecordings(options, cache);
    const peaks: Peak[] = [];
    for (const minutes of [wholeNumber(options, "short", 10), wholeNumber(options, "long", 120)]) {
      const file = await compose(join(cache, "audio"), "long", speech, { seconds: 60 * minutes, seed: 1 });
      say(`transcribing ${minutes} minutes with npm run demo`);
      const started = performance.now();
      const processes = await watchWorkers(file.path);
      peaks.push({
        minutes,
        seconds: (performance.now() - started) / 1_000,
        audioSeconds: file.samples / 16_000,
        processes,
        peakMb: total(processes),
      });
    }
    const [short, long] = peaks as [Peak, Peak];
    const ratio = long.peakMb / short.peakMb;
    const passed = ratio <= MOST;
    const rows = peaks.map(({ minutes, peakMb, seconds, processes }) => [
      `${minutes} min`,
      `${peakMb.toFixed(0)} MB`,
      `${seconds.toFixed(0)} s`,
      processes.map((found) => `${shortName(found.command)} ${found.peakMb.toFixed(0)}`).join(", "),
    ]);
    return {
      table: `${table([["file", "workers' peak", "whole demo", "of which"], ...rows])}\n\nratio ${ratio.toFixed(3)}, at most ${MOST}: ${passed ? "met" : "MISSED"}`,
      figures: {
        benchmark: "memory",
        ratio: round(ratio, 4),
        peak_rss_mb: Math.round(long.peakMb),
        peak_rss_mb_short: Math.round(short.peakMb),
        audio_seconds: round(long.audioSeconds, 3),
        audio_seconds_short: round(short.audioSeconds, 3),
        processes: peaks.map(({ processes }) =>
          processes.map(({ command, peakMb }) => ({ command: shortName(command), peak_rss_mb: Math.round(peakMb) })),
        ),
      },
      passed,
    };
  },
};

interface Peak {
  minutes: number;
  audioSeconds: number;
  /** Of the whole command, start of the stack included. */
  seconds: number;
  processes: ProcessFacts[];
  /** Sum of the processes' own peaks, so at least what they held at any one time. */
  peakMb: number;
}

/**
 * Transcribes a file on a stack of its own and answers the worker processes and their children at the moment when
 * their peaks summed highest. /proc is read often because the last reading before a process ends is all there is.
 */
async function watchWorkers(path: string): Promise<ProcessFacts[]> {
  let root: number | undefined;
  let done = false;
  const transcribed = transcribeByDemo([path], (pid) => {
    root = pid;
  }).finally(() => {
    done = true;
  });
  let highest: ProcessFacts[] = [];
  const watching = (async () => {
    while (!done) {
      const found = root === undefined ? [] : await workers(root);
      if (total(found) > total(highest)) highest = found;
      await sleep(200);
    }
  })();
  const [[transcript]] = await Promise.all([transcribed, watching]);
  if (transcript?.status !== "completed") throw new Error(`${path} ended ${transcript?.status}`);
  if (highest.length === 0) throw new Error("the demo ran without a worker process");
  return highest;
}

const total = (processes: ProcessFacts[]) => processes.reduce((sum, { peakMb }) => sum + peakMb, 0);

/** The stack's worker roles, and the decoding and inference processes that they start. */
async function workers(root: number): Promise<ProcessFacts[]> {
  const tree = await processTree(root);
  const inside = new Set(tree.filter(({ command }) => /escriba\.[jt]s worker\b/.test(command)).map(({ pid }) => pid));
  for (const { pid, parent } of tree) if (inside.has(parent)) inside.add(pid);
  return tree.filter(({ pid }) => inside.has(pid));
}

/** A command without directories and flags. */
function shortName(command: string): string {
  return command
    .split(" ")
    .slice(1)
    .filter((part) => !part.startsWith("--disable"))
    .map((part) => part.replace(/^.*\//, ""))
    .join(" ");
}
