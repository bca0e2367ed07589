/**
 * One file of the evaluation sets with everything that is known about it. A field that is absent is not known: a
 * recording without `words` says nothing about times, one without `turns` nothing about speakers.
 */
export interface Recording {
  /** Unique over all sets, and the same on every machine. */
  id: string;
  set: SetName;
  /** Thresholds may be fitted on development; held-out has voices (and texts of calls) that development never uses. */
  split: "development" | "held-out";
  /** The one that most of its speech is in, ISO 639-1; null for what is not speech. */
  language: string | null;
  /** 16-bit WAV, mono unless the condition says stereo. */
  path: string;
  durationMs: number;
  /** How it differs from a plain recording, such as `telephone`, `gsm` or `opposite-phase`. */
  condition?: string;
  /** In order of their starts. */
  words?: Word[];
  /** All that is said, where only the words and not their times are known too. */
  text?: string;
  /** In order of their starts; turns overlap where two speak at once. */
  turns?: Turn[];
  roles?: Record<string, "agent" | "customer">;
  /** Names from the catalogue of voices, one a speaker. */
  voices?: string[];
  /** For roles: whether the roles must be right, or must be left null or warned about. */
  expectation?: "attributed" | "null-or-warned";
  /** What a client would give as `custom_vocabulary`. */
  vocabulary?: string[];
}

/** Seconds from the beginning of the recording. */
export interface Word {
  text: string;
  start: number;
  end: number;
  speaker: string;
  /** ISO 639-1. */
  language: string;
}

/** Seconds from the beginning of the recording. */
export interface Turn {
  speaker: string;
  start: number;
  end: number;
  /** What is said in it, where it is known. */
  text?: string;
}

export const SET_NAMES = ["natural", "call", "noise", "languages", "condition", "vocabulary", "roles"] as const;
export type SetName = (typeof SET_NAMES)[number];
