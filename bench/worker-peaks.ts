import { setTimeout as sleep } from "node:timers/promises";
import { type DemoTranscript, transcribeByDemo } from "./demo.ts";
import { type ProcessFacts, processTree } from "./processes.ts";

/** A transcript and the memory that the workers held for it. */
export interface Watched {
  transcript: DemoTranscript;
  /** By the role's arguments: its process and those below it, when their own peaks summed highest. */
  roles: Map<string, ProcessFacts[]>;
  /** Highest peak in MB of any process of that role and command, e.g. `worker --queues speech: child.ts`. */
  processes: Map<string, number>;
}

/**
 * Transcribes a file on a stack of its own. /proc is read often because the last reading before a process ends is all
 * there is. Throws when the transcript is not completed.
 */
export async function transcribeAndWatch(path: string): Promise<Watched> {
  let root: number | undefined;
  let done = false;
  const transcribed = transcribeByDemo([path], (pid) => {
    root = pid;
  }).finally(() => {
    done = true;
  });
  const roles = new Map<string, ProcessFacts[]>();
  const processes = new Map<string, number>();
  const watching = (async () => {
    while (!done) {
      for (const [role, found] of root === undefined ? [] : await workers(root)) {
        if (total(found) > total(roles.get(role) ?? [])) roles.set(role, found);
        for (const { command, peakMb } of found) {
          const name = `${role}: ${shortName(command)}`;
          processes.set(name, Math.max(peakMb, processes.get(name) ?? 0));
        }
      }
      await sleep(200);
    }
  })();
  const [[transcript]] = await Promise.all([transcribed, watching]);
  if (transcript?.status !== "completed") throw new Error(`${path} ended ${transcript?.status}`);
  if (roles.size === 0) throw new Error("the demo ran without a worker process");
  return { transcript, roles, processes };
}

export const total = (processes: ProcessFacts[]) => processes.reduce((sum, { peakMb }) => sum + peakMb, 0);

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
export function shortName(command: string): string {
  return command
    .split(" ")
    .slice(1)
    .filter((part) => !part.startsWith("--disable"))
    .map((part) => part.replace(/^.*\//, ""))
    .join(" ");
}
