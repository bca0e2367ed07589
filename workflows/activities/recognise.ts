import { join } from "node:path";
import { activityInfo, cancellationSignal, heartbeat } from "@temporalio/activity";
import { ChildCrashed } from "../../speech/child-process.ts";
import type { Chunk, PcmFile, Window, WindowResult } from "../../speech/types.ts";
import { SAMPLE_RATE } from "../../speech/types.ts";
import { keys } from "../../storage/keys.ts";
import type { ObjectStore } from "../../storage/object-store.ts";
import { StepFailed } from "../failures.ts";
import type { RecognitionMetrics } from "../metrics.ts";
import { TASK_QUEUES } from "../names.ts";
import type { SpeechSteps } from "../steps.ts";
import { bytesOf } from "./identify.ts";
import { readPlan, writeObject } from "./objects.ts";
import { download, type Scratch } from "./scratch.ts";
import type { SharedEngine } from "./shared-engine.ts";

export interface SpeechDependencies {
  store: ObjectStore;
  scratch: Scratch;
  engine: SharedEngine;
  metrics: RecognitionMetrics;
}

/** What a heartbeat tells the next attempt. */
interface Details {
  /** Windows of the chunk that are in the store. */
  done: number;
  /** Times the engine's process died under this chunk. */
  crashes: number;
}

/** After this many crashes the windows go one a call, so that all but the deadly one get through. */
const CRASHES_TOGETHER = 3;

/**
 * One chunk. A window's result is in the store before its heartbeat, and windows found there are not heard again: an
 * attempt that was killed costs the next one the engine's batch at most.
 */
export function recognise({ store, scratch, engine, metrics }: SpeechDependencies): SpeechSteps["recognise"] {
  return async ({ transcriptId, chunk: index, language }) => {
    const signal = cancellationSignal();
    const started = performance.now();
    const before: Details = {
      done: 0,
      crashes: 0,
      ...(activityInfo().heartbeatDetails as Partial<Details> | undefined),
    };
    const plan = await readPlan(store, transcriptId, signal);
    const chunk = plan.chunks[index];
    if (!chunk) throw new StepFailed("internal_error", new Error(`the plan has no chunk ${index}`));
    const missing = await missingWindows(store, transcriptId, chunk);
    if (activityInfo().attempt > 1) metrics.redone.inc(Math.min(engine.batch, missing.length));
    let done = chunk.windows.length - missing.length;
    const beat = () => heartbeat({ done, crashes: before.crashes } satisfies Details);
    beat();

    const written: Promise<void>[] = [];
    const onWindow = (result: WindowResult) => {
      const write = writeObject(store, keys.window(transcriptId, result.index), result).then(() => {
        done += 1;
        metrics.recognised(result);
        beat();
      });
      write.catch(() => undefined); // thrown again when all are awaited
      written.push(write);
    };
    if (missing.length > 0) {
      await scratch.within(async (directory) => {
        const path = join(directory, "audio.s16");
        const range = bytesOf(...missing);
        await download(store, keys.pcm(transcriptId), path, { range, onBytes: beat, signal });
        const pcm: PcmFile = { path, offset: range.start / 2, length: (range.end - range.start) / 2 };
        const calls = before.crashes < CRASHES_TOGETHER ? [missing] : missing.map((window) => [window]);
        const short = activityInfo().taskQueue === TASK_QUEUES.speechShort;
        try {
          for (const windows of calls) {
            await engine.recognise({ pcm, windows, language, short }, { onWindow, onProgress: beat, signal });
          }
        } catch (error) {
          throw crashed(error, before, () => done);
        } finally {
          await Promise.allSettled(written);
        }
        await Promise.all(written);
      });
    }
    metrics.chunkSeconds.observe((performance.now() - started) / 1000);
    const audioMs = Math.round(((chunk.end - chunk.start) * 1000) / SAMPLE_RATE);
    return { audioMs, windows: chunk.windows.length, recognised: missing.length };
  };
}

/** Asked window by window, not listed: a chunk has about ten, a recording a thousand. */
async function missingWindows(store: ObjectStore, transcriptId: string, chunk: Chunk): Promise<Window[]> {
  const heads = await Promise.all(chunk.windows.map(({ index }) => store.head(keys.window(transcriptId, index))));
  return chunk.windows.filter((_, i) => heads[i] === null);
}

/** Counts the crash where the next attempt finds it; a crash under a single window is the window's own fault. */
function crashed(error: unknown, before: Details, done: () => number): unknown {
  if (!(error instanceof ChildCrashed)) return error;
  if (before.crashes >= CRASHES_TOGETHER) return new StepFailed("recognition_crashed", error);
  heartbeat({ done: done(), crashes: before.crashes + 1 } satisfies Details);
  return new StepFailed("child_crashed", error);
}
