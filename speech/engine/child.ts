import { open } from "node:fs/promises";
import { serveCalls } from "../../process/child-process.ts";
import { loadWhisper, type WhisperModel } from "../whisper/model.ts";
import { Recogniser } from "../whisper/recogniser.ts";
import type { EngineProgress, EngineRequest, EngineResponse, ModelSettings } from "./protocol.ts";
import { readSpans } from "./window-audio.ts";

/** The process that owns a device: it loads the model once and answers one call at a time. */

/** A sign of life at most this often; steps come a hundred times as often. */
const BEAT_MS = 500;

let loaded: { key: string; model: WhisperModel } | undefined;
let kept: { batch: number; model: WhisperModel; recogniser: Recogniser } | undefined;

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
  const recogniser = recogniserFor(model, request.model.batch);
  const handle = await open(request.pcm.path);
  try {
    const read = (spans: Parameters<typeof readSpans>[2], audio: Float32Array) =>
      readSpans(handle, request.pcm, spans, audio);
    if (request.task === "identify") {
      const { languages, windows } = request;
      return { languages: await recogniser.identify(windows, { languages, read, onBeat }) };
    }
    const { language, windows } = request;
    await recogniser.recognise(windows, {
      language,
      read,
      onBeat,
      onWindow: (window) => progress({ window }),
    });
    return { windows: windows.length };
  } finally {
    await handle.close();
  }
});

async function loadOnce({ directory, threads }: ModelSettings): Promise<WhisperModel> {
  const key = `${threads} ${directory}`;
  if (loaded?.key !== key) loaded = { key, model: await loadWhisper(directory, { threads }) };
  return loaded.model;
}

function recogniserFor(model: WhisperModel, batch: number): Recogniser {
  if (kept?.model !== model || kept.batch !== batch) {
    kept = { model, batch, recogniser: new Recogniser(model, batch) };
  }
  return kept.recogniser;
}
