import { open } from "node:fs/promises";
import { join } from "node:path";
import { Context } from "@temporalio/activity";
import type { LanguageResult, Window } from "../../speech/types.ts";
import { keys } from "../../storage/keys.ts";
import type { SpeechSteps } from "../steps.ts";
import { readObject, readPlan, writeObject } from "./objects.ts";
import type { SpeechDependencies } from "./recognise.ts";
import { download } from "./scratch.ts";

/** Windows brought to the engine, spread over the recording; it hears about four of them. */
const SAMPLE = 24;

/** Which language is spoken, among the hints when there are any. */
export function identify({ store, scratch, engine }: SpeechDependencies): SpeechSteps["identify"] {
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
      const result = await engine.identify(
        { pcm: { path, offset: 0, length: plan.samples }, windows, hints: languageHints },
        { onProgress: () => context.heartbeat("identify"), signal },
      );
      await writeObject(store, keys.language(transcriptId), result);
      return { language: result.language };
    });
  };
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
