import { join } from "node:path";
import { compose } from "../eval/audio/compose.ts";
import { chosenRecordings, OWN_SPEECH, OWN_SPEECH_HELP } from "../eval/audio/recordings.ts";
import { type Benchmark, cacheDirectory, round, table, wholeNumber } from "./benchmark.ts";
import type { ProcessFacts } from "./processes.ts";
import { shortName, total, transcribeAndWatch } from "./worker-peaks.ts";

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
      const { roles } = await transcribeAndWatch(file.path);
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
