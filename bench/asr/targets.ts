import { table } from "../benchmark.ts";

/** What a figure has to be: at least or at most so much. */
interface Target {
  what: string;
  figure: string;
  least?: number;
  most?: number;
}

/**
 * What the project promises. Memory must not grow with the files a process has heard; one megabyte in a hundred files is
 * allowed, and as garbage comes and goes by tens of them, only growth that its interval leaves no doubt of counts.
 */
export const TARGETS: readonly Target[] = [
  { what: "long file, times faster than transformers.js", figure: "speedup", least: 3 },
  { what: "long file, times faster than faster-whisper", figure: "speedup_faster_whisper", least: 1.4 },
  { what: "… with speaker embeddings", figure: "speedup_faster_whisper_with_embeddings", least: 1.2 },
  { what: "short clips, times faster than faster-whisper", figure: "short_speedup_faster_whisper", least: 2 },
  { what: "Moonshine, times faster than sherpa-onnx", figure: "speedup_sherpa", least: 0.95 },
  { what: "most memory, MB", figure: "peak_rss_mb", most: 1_200 },
  { what: "growth of memory, MB per 100 files, at least", figure: "rss_slope_low_mb_per_100_files", most: 1 },
  { what: "event loop p99, ms", figure: "event_loop_p99_ms", most: 20 },
];

/** Whether every figure that was measured is as promised, and a line for each. `null`: not measured. */
export function judge(
  figures: Readonly<Record<string, unknown>>,
  reasons: Readonly<Record<string, string>>,
): { passed: boolean; table: string } {
  const verdicts = TARGETS.map((target) => ({ ...target, ...verdict(target, figures[target.figure]) }));
  const rows = verdicts.map(({ what, figure, least, most, value, met }) => [
    what,
    value === null ? "–" : String(value),
    least === undefined ? `≤ ${most}` : `≥ ${least}`,
    met === null ? `not measured: ${reasons[figure] ?? "left out"}` : met ? "met" : "MISSED",
  ]);
  return {
    passed: verdicts.every(({ met }) => met !== false) && verdicts.some(({ met }) => met),
    table: table([["target", "measured", "wanted", ""], ...rows]),
  };
}

function verdict({ least = -Infinity, most = Infinity }: Target, value: unknown) {
  if (typeof value !== "number") return { value: null, met: null };
  return { value, met: value >= least && value <= most };
}
