import { defaultModelsDirectory, ensure } from "../models/ensure.ts";
import { prepareAudio } from "../speech/prepare.ts";
import { VoiceDetectors } from "../speech/voice-activity/detectors.ts";
import { createMediaActivities } from "./activities/media.ts";
import type { WorkerConfig } from "./config.ts";
import { TASK_QUEUES } from "./names.ts";
import { nothing, type ServedQueues, type WorkerParts } from "./served-queue.ts";

/** Decoding and voice activity. */
export async function serveMedia({
  config,
  metrics,
  speeds,
  store,
  scratch,
  replaced,
}: WorkerParts): Promise<ServedQueues> {
  const sileroVad = await ensureModel(config, "silero-vad");
  const prepare = replaced.prepareAudio ?? prepareAudio;
  const detectors = new VoiceDetectors(sileroVad, { keep: config.slots.media });
  return {
    queues: [TASK_QUEUES.media],
    steps: createMediaActivities({
      ...{ store, scratch, detectors, prepareAudio: prepare },
      ...{ metrics: metrics.diarization, speed: speeds.media },
    }),
    workflows: false,
    check: nothing,
    stop: nothing,
    close: () => detectors.close(),
  };
}

/** The directory of a model, fetched when it is not in the cache. */
export function ensureModel({ models }: WorkerConfig, name: string): Promise<string> {
  const dir = models.directory || defaultModelsDirectory({ XDG_CACHE_HOME: models.cacheHome });
  return ensure(name, { dir, offline: models.offline });
}
