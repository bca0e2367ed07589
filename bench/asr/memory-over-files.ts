import { round } from "../benchmark.ts";
import type { Clip } from "./clips.ts";
import { startOurs } from "./field.ts";
import type { Bench, PartReport } from "./part.ts";
import { memorySlope } from "./slope.ts";

/** MB per 100 files. An interval wider than this meets no target: it would hide a leak that matters. */
const WIDEST = 50;

/** What a process of its own holds after each of many files: one that heard a long file hides growth below its peak. */
export async function memoryOverFiles(bench: Bench, clips: readonly Clip[], files: number): Promise<PartReport> {
  const contender = await startOurs(bench, { voices: true });
  const rss: number[] = [];
  for (let file = 0; file < files; file++) {
    const { path } = clips[file % clips.length] as Clip;
    const { rss_mb } = await contender.ask({ file: path, language: "" });
    rss.push(round(Number(rss_mb), 2));
    if ((file + 1) % 20 === 0) bench.say(`${file + 1} of ${files} files, ${rss.at(-1)} MB held`);
  }
  await bench.company.dismiss(contender);
  const { slope, low, high } = memorySlope(rss);
  const unsure = high - low > WIDEST;
  return {
    table:
      `memory after each of ${files} files: ${rss[0]} MB at first, ${rss.at(-1)} MB at last; ` +
      `${slope.toFixed(1)} MB per 100 files (95 % interval ${low.toFixed(1)} to ${high.toFixed(1)})`,
    figures: {
      rss_slope_mb_per_100_files: round(slope, 3),
      rss_slope_low_mb_per_100_files: unsure ? null : round(low, 3),
      rss_slope_high_mb_per_100_files: round(high, 3),
      slope_files: files,
      rss_mb: rss,
    },
    ...(unsure && { reasons: { rss_slope_low_mb_per_100_files: "too few files to tell" } }),
  };
}
