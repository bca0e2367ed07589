import { open } from "node:fs/promises";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { serveCalls } from "../../process/child-process.ts";
import { SAMPLE_RATE } from "../types.ts";
import { CONTEXT, FRAME } from "./frames.ts";

/**
 * Runs Silero VAD (v6, as faster-whisper splits it: `[n, 576]` frames in, LSTM state carried by the caller) over an
 * s16 file. A process of its own, because `session.run` blocks the thread it is called on.
 */

export interface VoiceActivityRequest {
  /** s16le mono 16 kHz without a header. */
  pcm: string;
  samples: number;
  /** `model.onnx` of the silero-vad directory. */
  model: string;
}

export interface VoiceActivityProgress {
  /** Seconds of audio done. */
  seconds: number;
}

export interface VoiceActivityResponse {
  /** Probability of speech, one a frame of 512 samples; the last frame is padded with silence. */
  probabilities: Float32Array;
  peakRssBytes: number;
}

/** Frames a run: 4 s. Longer slabs are no faster and cost memory (135 MB at 16 s for 119); shorter ones pay the call. */
const SLAB = 125;
const WIDTH = CONTEXT + FRAME;

let loaded: { model: string; session: InferenceSession } | undefined;

serveCalls<VoiceActivityRequest, VoiceActivityProgress, VoiceActivityResponse>(async (request, progress) => {
  const session = await loadOnce(request.model);
  const file = await open(request.pcm);
  try {
    const total = Math.ceil(request.samples / FRAME);
    const probabilities = new Float32Array(total);
    const samples = new Int16Array(SLAB * FRAME);
    const input = new Float32Array(SLAB * WIDTH);
    const context = new Float32Array(CONTEXT);
    let h: Tensor = new Tensor("float32", new Float32Array(128), [1, 1, 128]);
    let c: Tensor = h;
    for (let first = 0; first < total; first += SLAB) {
      const count = Math.min(SLAB, total - first);
      const bytes = new Uint8Array(samples.buffer, 0, count * FRAME * 2);
      const { bytesRead } = await file.read(bytes, 0, bytes.length, first * FRAME * 2);
      bytes.fill(0, bytesRead);
      frameInto(input, samples, count, context);
      const frames = new Tensor("float32", input.subarray(0, count * WIDTH), [count, WIDTH]);
      const output = await session.run({ input: frames, h, c });
      probabilities.set(output.speech_probs?.data as Float32Array, first);
      h = output.hn as Tensor;
      c = output.cn as Tensor;
      progress({ seconds: Math.min((first + count) * FRAME, request.samples) / SAMPLE_RATE });
    }
    return { probabilities, peakRssBytes: process.resourceUsage().maxRSS * 1024 };
  } finally {
    await file.close();
  }
});

async function loadOnce(model: string): Promise<InferenceSession> {
  if (loaded?.model === model) return loaded.session;
  await loaded?.session.release();
  loaded = undefined;
  const session = await InferenceSession.create(model, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    // A spinning pool would take the second core from whoever else works on the machine.
    extra: { session: { intra_op: { allow_spinning: "0" } } },
  });
  loaded = { model, session };
  return session;
}

/** Each frame with the 64 samples before it. `context` is carried over to the next slab. */
function frameInto(input: Float32Array, samples: Int16Array, count: number, context: Float32Array): void {
  for (let frame = 0; frame < count; frame++) {
    const at = frame * WIDTH;
    input.set(context, at);
    for (let i = 0; i < FRAME; i++) input[at + CONTEXT + i] = (samples[frame * FRAME + i] as number) / 32_768;
    context.set(input.subarray(at + FRAME, at + WIDTH));
  }
}
