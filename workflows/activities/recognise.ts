import { join } from "node:path";
import { Context } from "@temporalio/activity";
import { ChildCrashed } from "../../process/child-process.ts";
import type { Chunk, LanguageResult, PcmFile, Window, WindowResult } from "../../speech/types.ts";
import { SAMPLE_RATE } from "../../speech/types.ts";
import { keys } from "../../storage/keys.ts";
import type { ObjectStore } from "../../storage/object-store.ts";
import { StepFailed } from "../failures.ts";
import type { RecognitionMetrics } from "../metrics.ts";
import { TASK_QUEUES } from "../names.ts";
import type { Speed } from "../speed.ts";
import type { SpeechSteps } from "../steps.ts";
import { bytesOf } from "./identify.ts";
import { inStore, readObject, readPlan, writeBytes, writeObject } from "./objects.ts";
import { download, type Scratch } from "./scratch.ts";
import { shareOf } from "./share.ts";
import type { SharedEngine } from "./shared-engine.ts";

export interface SpeechDependencies {
  store: ObjectStore;
  scratch: Scratch;
  engine: SharedEngine;
  metrics: RecognitionMetrics;
  speed: Speed;
}

/**
 * The engine's process may die under a chunk. Attempts 1 to 3 hear its windows together; after that they go one a call,
 * so that all but the deadly one get through; a crash from the fifth on is that window's fault and ends the transcript.
 */
const ATTEMPTS_TOGETHER = 3;
const LAST_ATTEMPT_TO_CRASH = 5;

/**
 * One chunk. A window's result is in the store before its heartbeat, and windows found there are not heard again: an
 * attempt that was killed costs the next one the engine's batch at most.
 */
export function recognise({ store, scratch, engine, metrics, speed }: SpeechDependencies): SpeechSteps["recognise"] {
  return async ({ transcriptId, chunk: index, language, vocabulary: listen }) => {
    const context = Context.current();
    const signal = context.cancellationSignal;
    const started = performance.now();
    const { attempt, taskQueue } = context.info;
    const plan = await readPlan(store, transcriptId, signal);
    // Written by `identify`, which is not asked when the client named the language: that one is for every window then.
    const identified = await readObject<LanguageResult>(store, keys.language(transcriptId), signal);
    const chunk = plan.chunks[index];
    if (!chunk) throw new StepFailed("internal_error", new Error(`the plan has no chunk ${index}`));
    const vocabulary = listen ? await readVocabulary(store, transcriptId, signal) : undefined;
    const missing = await missingWindows(store, transcriptId, chunk);
    if (attempt > 1) metrics.redone.inc(Math.min(engine.batch, missing.length));
    let done = chunk.windows.length - missing.length;
    const beat = () => context.heartbeat(done);
    beat();

    let worked = 0;
    const onWorked = (more: number) => {
      worked += more;
    };
    const written: Promise<void>[] = [];
    const onWindow = (result: WindowResult, voices?: Uint8Array) => {
      const write = writeWindow(store, transcriptId, result, voices).then(() => {
        done += 1;
        metrics.recognised(result, seconds(chunk, result.index));
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
        const calls = attempt <= ATTEMPTS_TOGETHER ? [missing] : missing.map((window) => [window]);
        const short = taskQueue === TASK_QUEUES.speechShort;
        try {
          for (const windows of calls) {
            await engine.recognise(
              { pcm, windows, language, detection: identified?.detection, vocabulary, short },
              { onWindow, onWorked, onProgress: beat, signal, share: shareOf(context) },
            );
          }
        } catch (error) {
          if (!(error instanceof ChildCrashed)) throw error;
          throw new StepFailed(attempt < LAST_ATTEMPT_TO_CRASH ? "child_crashed" : "recognition_crashed", error);
        } finally {
          await Promise.allSettled(written);
        }
        await Promise.all(written);
      });
    }
    metrics.chunkSeconds.observe((performance.now() - started) / 1000);
    const audioMs = Math.round(((chunk.end - chunk.start) * 1000) / SAMPLE_RATE);
    speed.measured(((audioMs / 1000) * missing.length) / chunk.windows.length, worked);
    return { audioMs, windows: chunk.windows.length, recognised: missing.length };
  };
}

/** Voiceprints first: where a window's text is, so are its voices, and neither is made again. */
async function writeWindow(
  store: ObjectStore,
  transcriptId: string,
  result: WindowResult,
  voices: Uint8Array | undefined,
): Promise<void> {
  if (voices) await writeBytes(store, keys.voices(transcriptId, result.index), voices);
  await writeObject(store, keys.window(transcriptId, result.index), result);
}

/** A vocabulary that was announced and is gone is the work of whoever removed the transcript's objects. */
async function readVocabulary(store: ObjectStore, transcriptId: string, signal: AbortSignal): Promise<string[]> {
  const vocabulary = await readObject<string[]>(store, keys.vocabulary(transcriptId), signal);
  if (!vocabulary) throw new StepFailed("source_missing", new Error("vocabulary.json is gone"));
  return vocabulary;
}

/** Speech in a window. */
function seconds(chunk: Chunk, index: number): number {
  const spans = chunk.windows.find((window) => window.index === index)?.spans ?? [];
  return spans.reduce((sum, { start, end }) => sum + end - start, 0) / SAMPLE_RATE;
}

/** Asked window by window, not listed: a chunk has about ten, a recording a thousand. */
async function missingWindows(store: ObjectStore, transcriptId: string, chunk: Chunk): Promise<Window[]> {
  const heads = await Promise.all(chunk.windows.map(({ index }) => store.head(keys.window(transcriptId, index)))).catch(
    (error) => {
      throw inStore(error);
    },
  );
  return chunk.windows.filter((_, i) => heads[i] === null);
}
