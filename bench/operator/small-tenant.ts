import { setTimeout as sleep } from "node:timers/promises";
import { type Stack, type Submitted, startStack } from "../../test/workflows/stack.ts";
import { median, round } from "../benchmark.ts";
import { preparing, type Shape, SleepingEngine, upload } from "./sleeping-engine.ts";

export interface SmallTenant {
  /** Median seconds from POST to result of a one-minute file, alone and beside the other organization's files. */
  idle_seconds: number;
  busy_seconds: number;
  small_tenant_wait_ratio: number;
  /** Chunks of the big organization that were done meanwhile: it was really there. */
  big_chunks_done: number;
}

export interface SmallTenantOptions {
  /** Fairness as the product asks it of the server, or a server as others run it. */
  fairness: boolean;
  /** Files of the small organization, one after the other, each time. */
  files: number;
  /** Ten-hour files of the big one in flight; 32 is its limit. */
  bigFiles?: number;
  say?: (line: string) => void;
}

/** Ten hours as a plan has them: chunks of five minutes with ten windows each. */
const TEN_HOURS: Shape = { chunks: 120, windows: 10, durationMs: 36_000_000, prepareMs: 200 };
/** Decoding and voice activity of a minute take about so long on one core. */
const ONE_MINUTE: Shape = { chunks: 1, windows: 2, durationMs: 60_000, prepareMs: 500 };
/** Sixty times as fast as speech: five seconds a chunk of five minutes. */
const ENGINE = { identifyMs: 250, windowMs: 500 };
const WORKERS = 2;

/**
 * How long one organization's one-minute file takes beside another's 32 ten-hour files, by how long it takes alone. The
 * engine sleeps as long as a real one would compute; everything else is real: server, database, workers, their turns.
 */
export async function measureSmallTenant(options: SmallTenantOptions): Promise<SmallTenant> {
  const { fairness, files, bigFiles = 32, say } = options;
  const stack = await startStack(fairness ? {} : { dynamicConfig: [] });
  try {
    const core = { ESCRIBA_QUEUES: "transcripts,media,language", ESCRIBA_SLOTS_MEDIA: "4" };
    await stack.worker({ prepareAudio: preparing }, core);
    for (let at = 0; at < WORKERS; at += 1) {
      const environment = { ESCRIBA_QUEUES: "speech,speech-short", ESCRIBA_GRACE_SECONDS: "5" };
      await stack.worker({ engine: new SleepingEngine(ENGINE) }, environment);
    }
    const small = await oneMinute(stack);
    await small.final(); // the first one makes connections and the like
    const idle = await secondsOf(stack, small.organizationId, files);
    say?.(`alone: ${idle.map((seconds) => seconds.toFixed(2)).join(" ")} s`);

    const big = await tenHours(stack, bigFiles);
    const before = await chunksDone(stack, big);
    const busy = await secondsOf(stack, small.organizationId, files);
    say?.(`beside ${bigFiles} ten-hour files: ${busy.map((seconds) => seconds.toFixed(2)).join(" ")} s`);
    const done = (await chunksDone(stack, big)) - before;
    for (const { id } of big) await stack.temporal.client.workflow.getHandle(id).terminate();
    return {
      idle_seconds: round(median(idle), 2),
      busy_seconds: round(median(busy), 2),
      small_tenant_wait_ratio: round(median(busy) / median(idle), 2),
      big_chunks_done: done,
    };
  } finally {
    await stack.stop();
  }
}

const oneMinute = (stack: Stack, organizationId?: string) =>
  stack.submit(upload(ONE_MINUTE), {
    ...{ creditEur: "1000", durationMs: ONE_MINUTE.durationMs },
    ...(organizationId && { organizationId }),
  });

async function secondsOf(stack: Stack, organizationId: string, files: number): Promise<number[]> {
  const seconds: number[] = [];
  for (let at = 0; at < files; at += 1) {
    const began = performance.now();
    const row = await (await oneMinute(stack, organizationId)).final();
    if (row?.status !== "completed") throw new Error(`a file of the small organization ended ${row?.status}`);
    seconds.push((performance.now() - began) / 1000);
  }
  return seconds;
}

/** Files of one organization, in flight and past decoding: every worker has its chunks, and hundreds wait. */
async function tenHours(stack: Stack, count: number): Promise<Submitted[]> {
  const submission = { creditEur: "100000", durationMs: TEN_HOURS.durationMs, language: "es" };
  const first = await stack.submit(upload(TEN_HOURS), submission);
  const { organizationId } = first;
  const rest = Array.from({ length: count - 1 }, () =>
    stack.submit(upload(TEN_HOURS), { ...submission, organizationId }),
  );
  const all = [first, ...(await Promise.all(rest))];
  const { db } = stack.postgres;
  const transcriptId = { in: all.map(({ id }) => id) };
  const planned = () => db.transcriptWork.count({ where: { transcriptId, queue: "media", plannedMs: 0 } });
  while ((await planned()) < count) await sleep(200);
  while ((await chunksDone(stack, all)) === 0) await sleep(200);
  return all;
}

async function chunksDone({ postgres }: Stack, transcripts: readonly Submitted[]): Promise<number> {
  const { _sum } = await postgres.db.transcriptWork.aggregate({
    where: { queue: "speech", transcriptId: { in: transcripts.map(({ id }) => id) } },
    _sum: { doneChunks: true },
  });
  return _sum.doneChunks ?? 0;
}
