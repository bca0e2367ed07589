import { Context } from "@temporalio/activity";
import { UNDETERMINED } from "../../speech/languages.ts";
import { assembleTranscript } from "../../speech/transcript.ts";
import type { LanguageResult, Plan, SpeakerTurns, WindowResult } from "../../speech/types.ts";
import { keys } from "../../storage/keys.ts";
import type { ObjectStore } from "../../storage/object-store.ts";
import { StepFailed } from "../failures.ts";
import type { DatabaseSteps } from "../steps.ts";
import type { DatabaseDependencies } from "./begin.ts";
import { readObject, readPlan, writeObject } from "./objects.ts";

/** Objects read at a time. */
const READ_AHEAD = 16;

/** Plan + language + windows + speakers → `result.json`. The same objects give the same result: a repeat changes nothing. */
export function assemble({ store }: Pick<DatabaseDependencies, "store">): DatabaseSteps["assemble"] {
  return async ({ transcriptId, language: requested, languageHints }) => {
    const context = Context.current();
    const signal = context.cancellationSignal;
    const plan = await readPlan(store, transcriptId, signal);
    const silent = plan.chunks.every((chunk) => chunk.windows.length === 0);
    const language =
      requested !== null
        ? { language: requested, confidence: silent ? 0 : 1, warnings: [] }
        : silent
          ? { language: languageHints[0] ?? UNDETERMINED, confidence: 0, warnings: [] }
          : await present(readObject<LanguageResult>(store, keys.language(transcriptId), signal));
    const speakers = await readObject<SpeakerTurns>(store, keys.speakers(transcriptId), signal);
    const windows = windowsOf(store, transcriptId, plan, context);
    const transcript = await assembleTranscript(plan, language, windows, speakers);
    await writeObject(store, keys.result(transcriptId), transcript);
    return { utterances: transcript.utterances.length };
  };
}

async function* windowsOf(
  store: ObjectStore,
  transcriptId: string,
  plan: Plan,
  context: Context,
): AsyncGenerator<WindowResult> {
  const signal = context.cancellationSignal;
  const windows = plan.chunks.flatMap((chunk) => chunk.windows);
  for (let from = 0; from < windows.length; from += READ_AHEAD) {
    const some = windows.slice(from, from + READ_AHEAD);
    yield* await Promise.all(
      some.map(({ index }) => present(readObject<WindowResult>(store, keys.window(transcriptId, index), signal))),
    );
    context.heartbeat("assemble");
  }
}

async function present<T>(object: Promise<T | null>): Promise<T> {
  const value = await object;
  if (value === null) throw new StepFailed("internal_error", new Error("an object that a step wrote is gone"));
  return value;
}
