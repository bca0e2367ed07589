import { ChildFailure } from "../../process/child-process.ts";

/**
 * Why a recording cannot be transcribed. None of these gets better by trying again. `code` is the stable code of the
 * interface; the message is plain English for the log and never contains bytes of the file.
 */
export abstract class AudioError extends Error {
  abstract readonly code: "unsupported_audio_format" | "audio_corrupt" | "audio_duration_exceeded";
}

/** The first bytes belong to none of the accepted formats, whatever the file is named. */
export class UnsupportedAudio extends AudioError {
  override name = "UnsupportedAudio";
  readonly code = "unsupported_audio_format";
}

/** The right container, but it cannot be decoded or ends before its own header says it does. */
export class CorruptAudio extends AudioError {
  override name = "CorruptAudio";
  readonly code = "audio_corrupt";
}

/** Nothing to hear: zero bytes, or a container without an audio stream. */
export class NoAudio extends AudioError {
  override name = "NoAudio";
  readonly code = "audio_corrupt";
}

/** More than ten hours. */
export class AudioTooLong extends AudioError {
  override name = "AudioTooLong";
  readonly code = "audio_duration_exceeded";
}

const byName = new Map<string, new (message: string) => AudioError>(
  Object.entries({ UnsupportedAudio, CorruptAudio, NoAudio, AudioTooLong }),
);

/** Gives an error that crossed the process boundary its class back; any other error is returned as it is. */
export function audioErrorFrom(error: unknown): unknown {
  const known = error instanceof ChildFailure ? byName.get(error.kind) : undefined;
  return known && error instanceof Error ? new known(error.message) : error;
}
