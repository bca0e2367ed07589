import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Plan } from "../../speech/types.ts";
import { keys } from "../../storage/keys.ts";
import { readResult } from "../../storage/results.ts";
import { type Stack, type Submitted, startStack, type WorkerProcess } from "../../test/workflows/stack.ts";
import { readObject } from "../../workflows/activities/objects.ts";
import { Random } from "../random.ts";

export interface Killed {
  kills: number;
  windows: number;
  /** Windows that were stored and yet heard again. */
  storedAndHeardAgain: number;
  /** Most windows that an attempt after one kill found under way, and heard again. */
  redoneMost: number;
  /** Text, words and utterances are the same bytes as without a kill. */
  identical: boolean;
}

/** As dear as it gets: ten hours in the standard tier with all modules. */
const CREDIT_EUR = "100";

/**
 * Transcribes a recording twice, on a real stack: once in peace, and once while the worker of every queue is killed
 * again and again, evenly over the recording, each time at a random moment.
 */
export async function killWorkers(
  path: string,
  { kills, seed, say }: { kills: number; seed: number; say: (line: string) => void },
): Promise<Killed> {
  const audio = await readFile(path);
  const random = new Random(seed);
  const stack = await startStack();
  let worker: WorkerProcess | undefined;
  try {
    worker = await stack.process("all");
    say("transcribing without a kill");
    const peaceful = await stack.submit(audio, { creditEur: CREDIT_EUR });
    await completed(peaceful);

    const disturbed = await stack.submit(audio, { creditEur: CREDIT_EUR });
    const ended = { yes: false };
    const done = completed(disturbed).finally(() => {
      ended.yes = true;
    });
    done.catch(() => undefined); // thrown again below
    const windows = await planned(stack, disturbed, ended);
    const facts = { kills: 0, windows, storedAndHeardAgain: 0, redoneMost: 0 };
    let stored = new Map<string, number>();
    for (let kill = 1; kill <= kills; kill++) {
      const due = Math.ceil((kill * windows) / (kills + 1));
      while (!ended.yes && (await storedWindows(stack, disturbed)).size < due) await sleep(100);
      await sleep(1_000 * random.next());
      if (ended.yes) break;
      facts.redoneMost = Math.max(facts.redoneMost, redone(await worker.metrics()));
      await worker.kill();
      const now = await storedWindows(stack, disturbed);
      for (const [key, time] of stored) if (now.has(key) && now.get(key) !== time) facts.storedAndHeardAgain += 1;
      stored = now;
      facts.kills = kill;
      say(`kill ${kill} of ${kills}: ${now.size} of ${windows} windows are stored`);
      worker = await stack.process("all");
    }
    await done;
    facts.redoneMost = Math.max(facts.redoneMost, redone(await worker.metrics()));
    const [one, other] = [
      await readResult(stack.postgres.db, peaceful.id),
      await readResult(stack.postgres.db, disturbed.id),
    ];
    const identical =
      one !== null &&
      other !== null &&
      one.text === other.text &&
      one.words === other.words &&
      one.utterances === other.utterances;
    return { ...facts, identical };
  } finally {
    await worker?.kill();
    await stack.stop();
  }
}

async function completed(transcript: Submitted): Promise<void> {
  const row = await transcript.final();
  if (row?.status !== "completed") throw new Error(`the transcript ended ${row?.status}`);
}

/** Windows of the plan, once there is one. */
async function planned(stack: Stack, { id }: Submitted, ended: { yes: boolean }): Promise<number> {
  while (!ended.yes) {
    const plan = await readObject<Plan>(stack.store, keys.plan(id));
    if (plan) return plan.chunks.reduce((sum, chunk) => sum + chunk.windows.length, 0);
    await sleep(100);
  }
  return 0;
}

/** When each was written, by key. */
async function storedWindows(stack: Stack, { id }: Submitted): Promise<Map<string, number>> {
  const times = new Map<string, number>();
  for await (const key of stack.store.list(keys.windows(id))) {
    const file = await stat(join(stack.directory, "objects", key)).catch(() => null);
    if (file) times.set(key, file.mtimeMs);
  }
  return times;
}

/** Of this process, whose life began with a kill. */
function redone(metrics: string): number {
  const line = metrics.split("\n").find((candidate) => candidate.startsWith("escriba_windows_redone_total{"));
  return Number(line?.split(" ").at(-1) ?? 0);
}
