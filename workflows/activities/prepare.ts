import { join } from "node:path";
import { Context } from "@temporalio/activity";
import type { prepareAudio } from "../../speech/prepare.ts";
import { AudioError } from "../../speech/prepare.ts";
import type { Plan } from "../../speech/types.ts";
import type { VoiceDetectors } from "../../speech/voice-activity/detectors.ts";
import { keys } from "../../storage/keys.ts";
import type { ObjectStore } from "../../storage/object-store.ts";
import { StepFailed } from "../failures.ts";
import type { DiarizationMetrics } from "../metrics.ts";
import type { Speed } from "../speed.ts";
import type { MediaSteps, Prepared } from "../steps.ts";
import { readObject, writeObject } from "./objects.ts";
import { download, type Scratch, upload } from "./scratch.ts";

export interface MediaDependencies {
  store: ObjectStore;
  scratch: Scratch;
  /** Kept between recordings. */
  detectors: VoiceDetectors;
  prepareAudio: typeof prepareAudio;
  metrics: DiarizationMetrics;
  speed: Speed;
}

/** Recording → decoded audio and plan. The plan is written last: where it is, the audio is. */
export function prepare(dependencies: MediaDependencies): MediaSteps["prepare"] {
  const { store, scratch, detectors, prepareAudio, speed } = dependencies;
  return async ({ transcriptId, sourceKey }) => {
    const context = Context.current();
    const signal = context.cancellationSignal;
    const began = performance.now();
    const made = await readObject<Plan>(store, keys.plan(transcriptId), signal);
    if (made) return counts(made);
    return scratch.within(async (directory) => {
      const source = join(directory, "source");
      const pcm = join(directory, "audio.s16");
      const transfer = { onBytes: () => context.heartbeat("transfer"), signal };
      await download(store, sourceKey ?? keys.source(transcriptId), source, transfer);
      const onProgress = ({ stage }: { stage: string }) => context.heartbeat(stage);
      const plan = await prepareAudio({ source, pcm, detectors, onProgress, signal }).catch((error: unknown) => {
        throw error instanceof AudioError ? new StepFailed(error.code, error) : error;
      });
      await upload(store, pcm, keys.pcm(transcriptId), transfer);
      await writeObject(store, keys.plan(transcriptId), plan);
      speed.measured(plan.durationMs / 1000, (performance.now() - began) / 1000);
      return counts(plan);
    });
  };
}

function counts(plan: Plan): Prepared {
  return {
    durationMs: plan.durationMs,
    speechMs: plan.speechMs,
    chunks: plan.chunks.length,
    windows: plan.chunks.reduce((sum, chunk) => sum + chunk.windows.length, 0),
  };
}
