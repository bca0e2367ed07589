import { decodeAudio } from "./decode/decode.ts";
import { plainMessage } from "./plain-message.ts";
import { planRecording, VAD_FAILED } from "./plan.ts";
import type { Plan, Span } from "./types.ts";
import type { VoiceActivityOptions, VoiceDetector } from "./voice-activity/detect.ts";
import type { VoiceDetectors } from "./voice-activity/detectors.ts";
import { energySpans } from "./voice-activity/energy.ts";
import { measureLoudness } from "./voice-activity/loudness.ts";
import { speechSpans } from "./voice-activity/spans.ts";

export {
  AudioError,
  AudioTooLong,
  CorruptAudio,
  NoAudio,
  UnsupportedAudio,
} from "./decode/errors.ts";

export interface PrepareRequest {
  /** The recording as it came: a local file of any accepted format. */
  source: string;
  /** Local file that the decoded audio is written to (s16le mono 16 kHz); overwritten. */
  pcm: string;
  /** One of them listens to this recording. */
  detectors: VoiceDetectors;
  /** Called at least every second or so of work: the activity's heartbeat. */
  onProgress?: (progress: PrepareProgress) => void;
  signal?: AbortSignal;
  /** Environment of the decoding process; empty unless given. */
  env?: Record<string, string | undefined>;
}

export interface PrepareProgress {
  stage: "decode" | "voice-activity";
  /** Seconds of audio done in this stage. */
  seconds: number;
}

/**
 * Decodes a recording, finds its speech and fixes the plan that everything later obeys. Rejects as `decodeAudio`
 * does. When voice detection fails, all that is loud enough to be speech is planned, with the warning `vad_failed: …`.
 */
export async function prepareAudio(request: PrepareRequest): Promise<Plan> {
  const { source, pcm, detectors, signal, env } = request;
  const report = (stage: PrepareProgress["stage"]) => ({
    onProgress: ({ seconds }: { seconds: number }) => request.onProgress?.({ stage, seconds }),
    ...(signal && { signal }),
  });
  const detector = detectors.take();
  try {
    const decoded = await decodeAudio(source, pcm, { ...report("decode"), ...(env && { env }) });
    const { samples, durationMs, channels, channelsDiffer } = decoded;
    const heard = await findSpeech(detector, { path: pcm, samples }, report("voice-activity"));
    return planRecording({ samples, durationMs, channels, channelsDiffer, ...heard });
  } finally {
    await detectors.give(detector);
  }
}

async function findSpeech(
  detector: VoiceDetector,
  pcm: { path: string; samples: number },
  options: VoiceActivityOptions,
): Promise<{ speech: Span[]; probabilities: Float32Array; warnings: string[] }> {
  try {
    const { probabilities } = await detector.detect(pcm, options);
    return { speech: speechSpans(probabilities, pcm.samples), probabilities, warnings: [] };
  } catch (error) {
    options.signal?.throwIfAborted();
    const loudness = await measureLoudness(pcm);
    return {
      speech: energySpans(loudness, pcm.samples),
      probabilities: loudness,
      warnings: [`${VAD_FAILED}: ${plainMessage(error)}`],
    };
  }
}
