import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { debianPackages } from "../../../eval/audio/debian.ts";
import { userCache } from "../../../process/user-cache.ts";

const run = promisify(execFile);

export interface PrometheusPrograms {
  promtool: string;
  prometheus: string;
}

/** Those on PATH, else Debian's package, unpacked into the user's cache. Null, with a loud line, where there is neither. */
export async function prometheusPrograms(): Promise<PrometheusPrograms | null> {
  if (await answers("promtool")) return { promtool: "promtool", prometheus: "prometheus" };
  try {
    const why = "promtool, which rules and dashboards are checked with, is neither on PATH nor to be had from Debian.";
    const [directory = ""] = await debianPackages(userCache(process.env), ["prometheus"], why);
    return { promtool: join(directory, "usr/bin/promtool"), prometheus: join(directory, "usr/bin/prometheus") };
  } catch (error) {
    console.error(`SKIPPED, AND NOT CHECKED: ${error instanceof Error ? error.message : error}`);
    return null;
  }
}

/** What it prints. Rejects with that, when it finds a fault. */
export async function promtool({ promtool: program }: PrometheusPrograms, ...args: string[]): Promise<string> {
  try {
    return (await run(program, args, { maxBuffer: 1 << 26 })).stdout;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`promtool ${args.join(" ")}\n${stdout}${stderr}`, { cause: error });
  }
}

async function answers(program: string): Promise<boolean> {
  return run(program, ["--version"]).then(
    () => true,
    () => false,
  );
}
