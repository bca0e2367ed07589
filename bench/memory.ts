import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { compose } from "../eval/audio/compose.ts";
import { chosenRecordings, OWN_SPEECH, OWN_SPEECH_HELP } from "../eval/audio/recordings.ts";
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
      const roles = await watchWorkers(file.path);
      peaks.push({
        minutes,
        seconds: (performance.now() - started) / 1_000,
        audioSeconds: file.samples / 16_000,
        roles,
      });
    }
    return report(peaks as [Peak, Peak]);
  },
};

function report([short, long]: [Peak, Peak]) {
  const ratios = Object.fromEntries(
    [...long.roles].map(([role, processes]) => [role, round(total(processes) / total(short.roles.get(role) ?? []), 4)]),
  );
  const ratio = Math.max(...Object.values(ratios));
  const passed = ratio <= MOST;
  const rows = [short, long].flatMap(({ minutes, seconds, roles }) =>
    [...roles].map(([role, processes]) => [
      `${minutes} min, ${seconds.toFixed(0)} s`,
      role,
      `${total(processes).toFixed(0)} MB`,
      processes.map((found) => `${shortName(found.command)} ${found.peakMb.toFixed(0)}`).join(", "),
    ]),
  );
  const sum = ({ roles }: Peak) => Math.round([...roles.values()].reduce((all, found) => all + total(found), 0));
  return {
    table: `${table([["file, whole demo", "worker", "peak", "of which"], ...rows])}\n\nhighest ratio ${ratio.toFixed(3)}, at most ${MOST}: ${passed ? "met" : "MISSED"}`,
    figures: {
      benchmark: "memory",
      ratio,
      ratios,
      peak_rss_mb: sum(long),
      peak_rss_mb_short: sum(short),
      audio_seconds: round(long.audioSeconds, 3),
      audio_seconds_short: round(short.audioSeconds, 3),
      processes: [short, long].map(({ roles }) =>
        [...roles.values()]
          .flat()
          .map(({ command, peakMb }) => ({ command: shortName(command), peak_rss_mb: Math.round(peakMb) })),
      ),
    },
    passed,
  };
}

interface Peak {
  minutes: number;
  audioSeconds: number;
  /** Of the whole command, start of the stack included. */
  seconds: number;
  /** By the role's arguments: its process and those below it, when their own peaks summed highest. */
  roles: Map<string, ProcessFacts[]>;
}

/**
 * Transcribes a file on a stack of its own and answers each worker role's processes at the moment when their peaks
 * summed highest. /proc is read often because the last reading before a process ends is all there is.
 */
async function watchWorkers(path: string): Promise<Map<string, ProcessFacts[]>> {
  let root: number | undefined;
  let done = false;
  const transcribed = transcribeByDemo([path], (pid) => {
    root = pid;
  }).finally(() => {
    done = true;
  });
  const highest = new Map<string, ProcessFacts[]>();
  const watching = (async () => {
    while (!done) {
      for (const [role, found] of root === undefined ? [] : await workers(root)) {
        if (total(found) > total(highest.get(role) ?? [])) highest.set(role, found);
      }
      await sleep(200);
    }
  })();
  const [[transcript]] = await Promise.all([transcribed, watching]);
  if (transcript?.status !== "completed") throw new Error(`${path} ended ${transcript?.status}`);
  if (highest.size === 0) throw new Error("the demo ran without a worker process");
  return highest;
}

const total = (processes: ProcessFacts[]) => processes.reduce((sum, { peakMb }) => sum + peakMb, 0);

/** The stack's worker roles, each with the decoding and inference processes that it started. */
async function workers(root: number): Promise<Map<string, ProcessFacts[]>> {
  const tree = await processTree(root);
  const found = new Map<string, ProcessFacts[]>();
  for (const worker of tree) {
    const role = /escriba\.[jt]s (worker\b.*)$/.exec(worker.command)?.[1];
    if (!role) continue;
    const inside = [worker];
    for (const { pid } of inside) inside.push(...tree.filter(({ parent }) => parent === pid));
    found.set(role, inside);
  }
  return found;
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
