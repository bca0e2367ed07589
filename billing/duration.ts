/** A recording over this is refused (400 for a file, `failed` for a URL). */
export const LONGEST_RECORDING_MS = 10 * 3_600_000;

/** Assumed for `audio_url`, whose length is unknown at POST. */
export const ASSUMED_URL_MS = 3_600_000;

/** Assumed for a file whose length the probe could not read: it ends `failed`, one minute is the least. */
export const ASSUMED_UNREADABLE_MS = 60_000;

/** Started minutes, at least one. The same integer milliseconds drive estimate and charge. */
export function startedMinutes(ms: number): number {
  return Math.max(1, Math.ceil(ms / 60_000));
}

/** What a recording is taken to last before it is decoded. */
export function assumedMs(source: TranscriptSource): number {
  if ("audioUrl" in source) return ASSUMED_URL_MS;
  return source.durationMs ?? ASSUMED_UNREADABLE_MS;
}

/** `durationMs` is the file row's, null when its probe could not read it. */
export type TranscriptSource = { fileId: string; durationMs: number | null } | { audioUrl: string };
