import { readdir, readFile } from "node:fs/promises";

/** What Linux says of a running process. */
export interface ProcessFacts {
  pid: number;
  parent: number;
  /** Arguments, joined by spaces. */
  command: string;
  /** Most memory it has held so far: VmHWM, in MB of 10^6 bytes. */
  peakMb: number;
  /** What it holds now: VmRSS, in the same MB. */
  mb: number;
}

/** `pid` and everything that it started, and that these started. A process that ends meanwhile is left out. */
export async function processTree(pid: number): Promise<ProcessFacts[]> {
  const names = await readdir("/proc").catch(() => {
    throw new Error("memory is read from /proc, which only Linux has");
  });
  const all = (
    await Promise.all(
      names
        .filter((name) => /^\d+$/.test(name))
        .map(Number)
        .map(facts),
    )
  ).filter((found) => found !== null);
  const tree = all.filter((found) => found.pid === pid);
  for (const { pid: parent } of tree) tree.push(...all.filter((found) => found.parent === parent));
  return tree;
}

/** Null when the process is gone. */
async function facts(pid: number): Promise<ProcessFacts | null> {
  try {
    const [status, command] = await Promise.all([
      readFile(`/proc/${pid}/status`, "utf8"),
      readFile(`/proc/${pid}/cmdline`, "utf8"),
    ]);
    const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
    return {
      pid,
      parent: field("PPid"),
      command: command.split("\0").join(" ").trim(),
      peakMb: (field("VmHWM") * 1_024) / 1e6,
      mb: (field("VmRSS") * 1_024) / 1e6,
    };
  } catch {
    return null;
  }
}
