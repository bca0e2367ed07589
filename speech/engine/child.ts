import { open } from "node:fs/promises";
import { serveCalls } from "../../process/child-process.ts";
import type { Family } from "../recognition/family.ts";
import { loadFamily } from "../recognition/load.ts";
import { compileTerms } from "../terms/terms.ts";
import { loadWhisper, type WhisperModel } from "../whisper/model.ts";
import { Recogniser } from "../whisper/recogniser.ts";
import type { EngineProgress, EngineRequest, EngineResponse, ModelSettings } from "./protocol.ts";
import { isOutOfMemory } from "./sessions.ts";
import { readSpans } from "./window-audio.ts";

/** The process that owns a device: it loads the model once and answers one call at a time. */

/** A sign of life at most this often; steps come a hundred times as often. */
const BEAT_MS = 500;

let loaded: { key: string; model: WhisperModel } | undefined;
let family: { key: string; of: Family } | undefined;
let kept: { batch: number; model: WhisperModel; family: Family | undefined; recogniser: Recogniser } | undefined;

serveCalls<EngineRequest, EngineProgress, EngineResponse>(async (request, progress) => {
  let last = 0;
  const onBeat = () => {
    const now = performance.now();
    if (now - last < BEAT_MS) return;
    last = now;
    progress({ alive: true });
  };
  const model = await loadOnce(request.model);
  onBeat();
  const recogniser = recogniserFor(model, request.model.batch, await familyOnce(request.model));
  onBeat();
  const handle = await open(request.pcm.path);
  try {
    const read = (spans: Parameters<typeof readSpans>[2], audio: Float32Array) =>
      readSpans(handle, request.pcm, spans, audio);
    if (request.task === "identify") {
      const { languages, windows } = request;
      return { heard: await recogniser.identify(windows, { languages, read, onBeat }) };
    }
    const { language, detection, windows, vocabulary } = request;
    const terms = vocabulary && compileTerms(vocabulary);
    await recogniser.recognise(windows, {
      language,
      terms,
      detection,
      read,
      onBeat,
      onWindow: (window) => progress({ window }),
    });
    return { windows: windows.length };
  } catch (error) {
    throw isOutOfMemory(error) ? new OutOfMemory((error as Error).message) : error;
  } finally {
    await handle.close();
  }
});

/** The parent ends this process for it, and asks for less. */
class OutOfMemory extends Error {
  override name = "OutOfMemory";
}

async function loadOnce({ directory, threads, device }: ModelSettings): Promise<WhisperModel> {
  const key = `${threads} ${device} ${directory}`;
  if (loaded?.key !== key) loaded = { key, model: await loadWhisper(directory, { threads, device }) };
  return loaded.model;
}

async function familyOnce({ fast, threads, device }: ModelSettings): Promise<Family | undefined> {
  if (fast === undefined) return undefined;
  const key = `${threads} ${device} ${fast.directory}`;
  if (family?.key !== key) family = { key, of: await loadFamily(fast.model, fast.directory, { threads, device }) };
  return family.of;
}

function recogniserFor(model: WhisperModel, batch: number, family: Family | undefined): Recogniser {
  if (kept?.model !== model || kept.batch !== batch || kept.family !== family) {
    kept = { model, batch, family, recogniser: new Recogniser(model, batch, family) };
  }
  return kept.recogniser;
}
