import { type Finding, failed, ok, warning } from "./check.ts";

/** HTTP dates have whole seconds, and an answer takes a moment. */
const NOTICED_SECONDS = 5;
const REMEDY = ["run a time service (chrony) on the nodes"];

/** What a difference of clocks, in milliseconds, means. `failsAt`: seconds from which nothing works. */
export function skewFinding(
  ms: number,
  whose: string,
  { failsAt = Number.POSITIVE_INFINITY, ...numbers }: { failsAt?: number } & Record<string, number> = {},
): Finding {
  const seconds = Math.round(ms / 1_000);
  const figures = { ...numbers, skewSeconds: seconds };
  const size = Math.abs(seconds);
  if (size < NOTICED_SECONDS) return ok(`${whose} and this process agree about the time`, figures);
  const said = `the clock of ${whose} is ${size} s ${seconds > 0 ? "ahead of" : "behind"} this process's`;
  return size >= failsAt ? failed(said, REMEDY, figures) : warning(said, REMEDY, figures);
}
