import { open } from "node:fs/promises";
import { join } from "node:path";
import { Context } from "@temporalio/activity";
import { ChildCrashed, ChildFailure } from "../../process/child-process.ts";
import { undecidedLanguage } from "../../speech/language/decision.ts";
import { LANGUAGES } from "../../speech/languages.ts";
import { plainMessage } from "../../speech/plain-message.ts";
import type { LanguageResult, Window } from "../../speech/types.ts";
import { keys } from "../../storage/keys.ts";
import { StepFailed } from "../failures.ts";
import type { SpeechSteps } from "../steps.ts";
import { readObject, readPlan, writeObject } from "./objects.ts";
import type { SpeechDependencies } from "./recognise.ts";
import { download } from "./scratch.ts";
import { shareOf } from "./share.ts";

/** Windows brought to the engine, spread over the recording; it hears a few of them, and all where they differ. */
const SAMPLE = 24;
/** A crash may be the machine's fault; from this attempt on it is the question's, and the transcript does without. */
const LAST_ATTEMPT_TO_CRASH = 3;

/**
 * Which language is spoken, among the hints when there are any. A question that cannot be answered does not end the
 * transcript: `lid_local_unavailable` when the model knows no languages, `lid_failed: …` when the work failed, and then
 * each window is still asked for its own language.
 */
export function identify({ store, scratch, engine, speed }: SpeechDependencies): SpeechSteps["identify"] {
  return async ({ transcriptId, languageHints }) => {
    const context = Context.current();
    const signal = context.cancellationSignal;
    const known = await readObject<LanguageResult>(store, keys.language(transcriptId), signal);
    if (known) return { language: known.language };
    const plan = await readPlan(store, transcriptId, signal);
    const windows = spread(
      plan.chunks.flatMap((chunk) => chunk.windows),
      SAMPLE,
    );
    return scratch.within(async (directory) => {
      const path = join(directory, "audio.s16");
      // As long as the recording, with holes where nothing is heard: they take no room on the disk.
      const file = await open(path, "w");
      await file.truncate(plan.samples * 2).finally(() => file.close());
      for (const window of windows) {
        const range = bytesOf(window);
        const onBytes = () => context.heartbeat("transfer");
        await download(store, keys.pcm(transcriptId), path, { range, position: range.start, onBytes, signal });
      }
      const pcm = { path, offset: 0, length: plan.samples };
      const result = await engine
        .identify(
          { pcm, windows, hints: languageHints },
          {
            onProgress: () => context.heartbeat("identify"),
            onWorked: (seconds) => speed.measured(0, seconds),
            signal,
            share: shareOf(context),
          },
        )
        .catch((error: unknown) => withoutAnswer(error, languageHints, context.info.attempt));
      await writeObject(store, keys.language(transcriptId), result);
      return { language: result.language };
    });
  };
}

function withoutAnswer(error: unknown, hints: readonly string[], attempt: number): LanguageResult {
  if (error instanceof ChildFailure && error.kind === "LanguagesUnavailable") {
    return undecidedLanguage(hints, "lid_local_unavailable");
  }
  if (error instanceof ChildCrashed && attempt < LAST_ATTEMPT_TO_CRASH) throw new StepFailed("child_crashed", error);
  if (!(error instanceof ChildCrashed || error instanceof ChildFailure)) throw error;
  const languages = hints.length > 0 ? [...hints] : [...LANGUAGES];
  return undecidedLanguage(hints, `lid_failed: ${plainMessage(error)}`, { languages, shares: {} });
}

/** At most `count` of them, evenly over the list. */
function spread<T>(list: readonly T[], count: number): T[] {
  if (list.length <= count) return [...list];
  return Array.from({ length: count }, (_, i) => list[Math.floor((i * list.length) / count)] as T);
}

/** From a window's first sample to its last, in bytes of the decoded audio. */
export function bytesOf(...windows: readonly Window[]): { start: number; end: number } {
  const spans = windows.flatMap((window) => window.spans);
  return {
    start: Math.min(...spans.map((span) => span.start)) * 2,
    end: Math.max(...spans.map((span) => span.end)) * 2,
  };
}
