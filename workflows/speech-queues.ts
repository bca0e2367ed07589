import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ChildFailure } from "../process/child-process.ts";
import { createEngine, type Engine } from "../speech/engine/engine.ts";
import { SAMPLE_RATE } from "../speech/types.ts";
import { shareEngine } from "./activities/shared-engine.ts";
import { createSpeechActivities } from "./activities/speech.ts";
import { ensureModel } from "./media-queue.ts";
import { TASK_QUEUES } from "./names.ts";
import { nothing, type ServedQueues, type WorkerParts } from "./served-queue.ts";

/** `speech` and `speech-short`, or one of them: slots of their own, one engine. Ready when the model is loaded. */
export async function serveSpeech(parts: WorkerParts): Promise<ServedQueues> {
  const { config, metrics, speeds, store, scratch, replaced } = parts;
  const engine = replaced.engine ?? (await openEngine(parts));
  try {
    await warmUp(engine, parts);
  } catch (error) {
    await engine.close();
    throw error;
  }
  const { batch } = config.speech;
  // Where short recordings come too they wait for a batch of a long one at most: half of it is half the wait.
  const longBatch = config.queues.includes(TASK_QUEUES.speechShort) ? Math.max(1, batch >> 1) : batch;
  return {
    queues: [TASK_QUEUES.speech, TASK_QUEUES.speechShort].filter((queue) => config.queues.includes(queue)),
    steps: createSpeechActivities({
      store,
      scratch,
      engine: shareEngine(engine, batch, { longBatch }),
      metrics: metrics.recognition,
      speed: speeds.speech,
    }),
    workflows: false,
    check: nothing,
    stop: nothing,
    close: () => engine.close(),
  };
}

async function openEngine({ config, log }: WorkerParts): Promise<Engine> {
  const modelDir = await ensureModel(config, "whisper-base");
  const speakerDir = await ensureSpeakers(config, log);
  const { fastModel, ...speech } = config.speech;
  const fast = fastModel ? { model: fastModel, directory: await ensureModel(config, fastModel) } : undefined;
  return createEngine({ modelDir, fast, speakerDir, ...speech, onStderr: (line) => log.debug({ line }, "engine") });
}

/** Without the model there are transcripts all the same, each with the warning that says what it lacks. */
async function ensureSpeakers(config: WorkerParts["config"], log: WorkerParts["log"]): Promise<string | undefined> {
  if (!config.speakerModel) return undefined;
  try {
    return await ensureModel(config, config.speakerModel);
  } catch (error) {
    log.error({ err: error, model: config.speakerModel }, "voices will not be told apart");
    return undefined;
  }
}

/**
 * The child loads its model on its first call: a second of silence, whose language nobody asks for again. A model that
 * cannot tell languages is loaded by it all the same.
 */
async function warmUp(engine: Engine, { scratch }: WorkerParts): Promise<void> {
  await scratch.within(async (directory) => {
    const path = join(directory, "silence.s16");
    await writeFile(path, Buffer.alloc(SAMPLE_RATE * 2));
    const window = { index: 0, spans: [{ start: 0, end: SAMPLE_RATE }] };
    const pcm = { path, offset: 0, length: SAMPLE_RATE };
    await engine.identify({ pcm, windows: [window], hints: ["en", "es"] }).catch((error: unknown) => {
      if (!(error instanceof ChildFailure && error.kind === "LanguagesUnavailable")) throw error;
    });
  });
}
