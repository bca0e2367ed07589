import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  patched,
  TemporalFailure,
} from "@temporalio/workflow";
import { GROUPS, type Group, type Module } from "../understanding/types.ts";
import { type FailureCode, isFailureCode } from "./failures.ts";
import { SHORT_RECORDING_MS, TASK_QUEUES, type TaskQueue, type TranscribeInput } from "./names.ts";
import { stepsOn } from "./on-queue.ts";
import type { DatabaseSteps, FetchSteps, LanguageSteps, MediaSteps, Prepared, SpeechSteps } from "./steps.ts";

/** Chunks of one transcript that wait or run at a time: enough to keep several workers busy, few enough to be fair. */
const OUTSTANDING_CHUNKS = 8;
/** Before the deadline understanding ends, so that the transcript is settled with what is there by then. */
const TO_SETTLE_MS = 60 * 60 * 1_000;

/**
 * One transcript from its row to its result (docs/architecture.md, "The way of a transcript"). Ends as completed when
 * the result is stored and charged, or when the transcript was deleted before it could be; as failed, with the code as
 * the failure's type, when the row was set to failed; as cancelled when a delete ended it.
 *
 * Changes go by `patched()`: histories of earlier versions are replayed in tests (test/workflows/replay.test.ts).
 */
export async function transcribe(input: TranscribeInput): Promise<void> {
  const { transcriptId } = input;
  const database = stepsOn<DatabaseSteps>(TASK_QUEUES.transcripts, shareOf(input));
  const deadline = { passed: false };
  try {
    await withDeadline(input.deadlineAt, deadline, () => produce(input, database));
  } catch (error) {
    // Anything else is a fault in this file: the workflow task is retried until a deployment mends it.
    if (!(error instanceof TemporalFailure)) throw error;
    const code = deadline.passed ? "deadline_exceeded" : codeOf(error);
    // Without effect when the row is gone, which is how a deleted transcript gets here.
    await CancellationScope.nonCancellable(() => database.fail({ transcriptId, code }));
    await cleanUp(database, transcriptId);
    if (isCancellation(error) && !deadline.passed) throw error;
    throw ApplicationFailure.nonRetryable(code, code);
  }
  await cleanUp(database, transcriptId);
}

async function produce(input: TranscribeInput, database: DatabaseSteps): Promise<void> {
  const { transcriptId } = input;
  const begun = await database.begin({ transcriptId });
  if (!begun.proceed) return;
  const { language, languageHints } = begun;
  // Absent, not false, where there is none: histories are no longer for it.
  const listenFor = begun.vocabulary ? { vocabulary: begun.vocabulary } : {};

  if (begun.uploadKey === null)
    await stepsOn<FetchSteps>(TASK_QUEUES.fetch, shareOf(input)).fetchSource({ transcriptId });
  const media = stepsOn<MediaSteps>(TASK_QUEUES.media, shareOf(input));
  const prepared = await media.prepare({ transcriptId, sourceKey: begun.uploadKey });
  const { durationMs, chunks } = prepared;
  const queue = durationMs <= SHORT_RECORDING_MS ? TASK_QUEUES.speechShort : TASK_QUEUES.speech;
  await database.recordPlan({ transcriptId, queue, durationMs, chunks });

  if (prepared.windows > 0) {
    const speech = stepsOn<SpeechSteps>(queue, shareOf(input));
    const spoken = language ?? (await speech.identify({ transcriptId, languageHints })).language;
    const progress = progressOf(transcriptId, queue, database);
    await recogniseAll(prepared, async (chunk) => {
      const { audioMs } = await speech.recognise({ transcriptId, chunk, language: spoken, ...listenFor });
      progress.done(audioMs);
    });
    await progress.written();
    if (patched("diarise")) await orWithout(media.diarise({ transcriptId }));
  }
  const assembled = await database.assemble({ transcriptId, language, languageHints });
  // Where nothing was said nothing is asked of a model: settle says which modules are missing.
  if (patched("understanding") && assembled.utterances > 0) {
    await inTime(input.deadlineAt - TO_SETTLE_MS, () => understandCall(input, begun.modules ?? []));
  }
  await database.settle({ transcriptId });
}

/** Roles are for everybody; sentiment needs to know who the customer is, so `insight` comes last. */
async function understandCall(input: TranscribeInput, modules: readonly string[]): Promise<void> {
  const { transcriptId } = input;
  const language = stepsOn<LanguageSteps>(TASK_QUEUES.language, shareOf(input));
  const understand = async (group: Group) => {
    const asked = (GROUPS[group] as readonly Module[]).filter((module) => modules.includes(module));
    if (asked.length > 0) await orWithout(language.understand({ transcriptId, group, modules: asked }));
  };
  const roles = orWithout(language.attributeRoles({ transcriptId }));
  // All have ended when the first failure is thrown: the objects are removed next, and nobody writes after that.
  const ends = await Promise.allSettled([roles, understand("safety"), understand("pii")]);
  const failed = ends.find((end) => end.status === "rejected");
  if (failed) throw failed.reason;
  await understand("insight");
}

/**
 * Cancels what runs at a moment, awaits it and goes on: no worker for the language queue, or a server that never ends
 * an answer, is no reason to let a transcript whose text is there run into its deadline.
 */
async function inTime(at: number, run: () => Promise<void>): Promise<void> {
  const left = at - Date.now();
  if (left <= 0) return;
  try {
    await CancellationScope.withTimeout(left, run);
  } catch (error) {
    if (!isCancellation(error) || CancellationScope.current().consideredCancelled) throw error;
  }
}

/** A transcript never fails for want of a model: what a step did not bring, settle says in a warning. */
async function orWithout(step: Promise<unknown>): Promise<void> {
  try {
    await step;
  } catch (error) {
    if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
  }
}

/** Keeps `OUTSTANDING_CHUNKS` under way. When one fails the others are cancelled and awaited: nobody writes later. */
async function recogniseAll({ chunks }: Prepared, recognise: (chunk: number) => Promise<void>): Promise<void> {
  const scope = new CancellationScope();
  let next = 0;
  let failure: unknown;
  const lane = async () => {
    while (next < chunks && failure === undefined) {
      const chunk = next++;
      try {
        await recognise(chunk);
      } catch (error) {
        failure ??= error;
        scope.cancel();
      }
    }
  };
  await scope.run(() => Promise.all(Array.from({ length: Math.min(OUTSTANDING_CHUNKS, chunks) }, lane)));
  if (failure !== undefined) throw failure;
}

/**
 * Progress rows drive the operator, not the transcript: one write at a time, always the newest figures, and a write
 * that failed is no reason to fail.
 */
function progressOf(transcriptId: string, queue: TaskQueue, database: DatabaseSteps) {
  let doneChunks = 0;
  let doneMs = 0;
  let writing: Promise<void> | undefined;
  const write = async () => {
    for (let written = 0; written < doneChunks; ) {
      written = doneChunks;
      try {
        await database.recordProgress({ transcriptId, queue, doneChunks, doneMs });
      } catch (error) {
        if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
      }
    }
    writing = undefined;
  };
  return {
    done: (audioMs: number) => {
      doneChunks += 1;
      doneMs += audioMs;
      writing ??= write();
      writing.catch(() => undefined); // thrown again by written()
    },
    written: async () => {
      await writing;
    },
  };
}

/** Cancels what runs when the deadline passes, and says so. */
async function withDeadline<T>(deadlineAt: number, deadline: { passed: boolean }, run: () => Promise<T>): Promise<T> {
  try {
    const left = deadlineAt - Date.now();
    if (left <= 0) throw ApplicationFailure.nonRetryable("deadline_exceeded", "deadline_exceeded");
    return await CancellationScope.withTimeout(left, run);
  } catch (error) {
    // The scope above us is cancelled by a delete only; a cancellation without one is the timer's.
    deadline.passed = isCancellation(error) && !CancellationScope.current().consideredCancelled;
    throw error;
  }
}

/** Best effort: what it leaves behind, the sweeper takes. */
async function cleanUp(database: DatabaseSteps, transcriptId: string): Promise<void> {
  try {
    await CancellationScope.nonCancellable(() => database.cleanUp({ transcriptId }));
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
  }
}

function codeOf(error: TemporalFailure): FailureCode {
  if (isCancellation(error)) return "cancelled";
  const failure = error instanceof ActivityFailure ? error.cause : error;
  const type = failure instanceof ApplicationFailure ? failure.type : undefined;
  return isFailureCode(type) ? type : "internal_error";
}

function shareOf({ fairnessKey, fairnessWeight }: TranscribeInput) {
  return { fairnessKey, fairnessWeight };
}
