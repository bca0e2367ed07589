/**
 * The words speech/ is written in. Positions are sample numbers at 16 kHz mono unless a name says seconds or ms.
 */

export const SAMPLE_RATE = 16_000;

/** A half-open range [start, end) of samples of the decoded recording. */
export interface Span {
  start: number;
  end: number;
}

/**
 * What one encoder run hears: speech spans of the recording, laid end to end without gaps.
 * Spans ascend, do not overlap and sum to at most 30 s (480,000 samples). `index` counts over the whole plan.
 */
export interface Window {
  index: number;
  spans: Span[];
  /**
   * Where speech had to be cut without a pause, windows hear beyond the cut and overlap. This part is the window's own;
   * of what is heard beyond it, each word is kept once (speech/seams.ts). Absent: all of it.
   */
  own?: Span;
}

/**
 * A unit of recognition: a contiguous range of the recording and the windows inside it, 30 to 300 s of audio. Neighbours
 * overlap where their windows do.
 */
export interface Chunk {
  index: number;
  start: number;
  end: number;
  windows: Window[];
}

/** Made once by `prepare`, kept in the object store; everything later obeys it, so a repeat hears the same audio. */
export interface Plan {
  version: 1;
  sampleRate: typeof SAMPLE_RATE;
  /** Length of the decoded recording in samples. */
  samples: number;
  /** The one integer-millisecond figure that drives estimate, charge and `audio_duration`. */
  durationMs: number;
  /** Speech left after silence is removed. */
  speechMs: number;
  /** Channels of the source, before the mix-down. */
  channels: number;
  /** True when the source has two channels that differ (a call recorded with separate sides). */
  stereo: boolean;
  chunks: Chunk[];
  /** Codes of section 2.8 found while preparing, e.g. `stereo_source_available`, `vad_failed: …`. */
  warnings: string[];
}

/** A decoded recording: signed 16-bit little-endian mono at 16 kHz, without a header. */
export interface PcmFile {
  path: string;
  /** Position in the recording of the file's first sample. 0 for a whole recording. */
  offset: number;
  /** Samples in the file. */
  length: number;
}

/** Seconds from the start of the recording, three decimals. */
export interface Word {
  text: string;
  start: number;
  end: number;
}

/** A run of words without a long pause, seconds from the start of the recording. */
export interface Segment {
  text: string;
  start: number;
  end: number;
  words: Word[];
  /** ISO 639-1, where it is another than its window's. */
  language?: string;
}

/** What recognition of one window found. Written to the object store as soon as it is known. */
export interface WindowResult {
  index: number;
  /** ISO 639-1 code the window was decoded as; the one with most speech where it holds several. */
  language: string;
  /** Its parts by language, in order of time, when it was asked for its own language. */
  languages?: WindowLanguage[];
  segments: Segment[];
  /** Mean natural-log probability of a token. */
  averageLogprob: number;
  /** Generated tokens, retries included. */
  tokens: number;
  /** Names of the retries that were tried, in order: `split`, `timestamps`, `beam`, `span`. */
  retries: string[];
  /** Why: the guards (speech/whisper/guards.ts) that the first text tripped, `unsure`, `uncovered`. */
  reasons?: string[];
  /**
   * Terms of the caller's vocabulary in the text; null when the language's words are not kept apart, so that terms
   * could not be looked for; absent when there was no vocabulary.
   */
  terms?: number | null;
  /** The fast model that heard it; absent: Whisper. */
  model?: string;
  /** Milliseconds of compute, for metrics only. */
  computeMs: number;
}

/** A part of a window that was decoded in one language. */
export interface WindowLanguage {
  language: string;
  /** Speech in it. */
  seconds: number;
  /** What it may have been, by ISO 639-1 code; languages under 0.01 are left out. */
  probabilities: Record<string, number>;
}

/** What windows lean on when each is asked for its own language. */
export interface Detection {
  /** ISO 639-1 codes to choose among. */
  languages: string[];
  /** Share of the speech heard so far, by language; empty when nothing is known. */
  shares: Record<string, number>;
}

/** The language decision for a recording (design.md, "recognise"). */
export interface LanguageResult {
  /** ISO 639-1, or `und` for silence without a hint. */
  language: string;
  /** 0 to 1, among the allowed languages. */
  confidence: number;
  /** e.g. `lid_tie:es~ca`. */
  warnings: string[];
  /** Absent when there is nothing to choose: one language was asked for, or none can be told. */
  detection?: Detection;
}

/** Who speaks when (`speakers.json`). */
export interface SpeakerTurns {
  version: 1;
  /** How many voices were told apart; 0 when none could be heard. */
  speakers: number;
  /** Ascending, without overlap, in samples. `speaker` is "0", "1", … in the order of first speech. */
  turns: (Span & { speaker: string })[];
  /** `diarization_single_speaker`, `diarization_low_minority_share` or `diarization_unavailable`. */
  warnings: string[];
}

export interface Utterance {
  /** Acoustic identifier "0", "1", …; null when speakers were not separated. */
  speaker: string | null;
  speakerRole: "agent" | "customer" | null;
  text: string;
  start: number;
  end: number;
}

/** The assembled transcript before it is priced. */
export interface Transcript {
  language: string;
  languageConfidence: number;
  durationMs: number;
  speechMs: number;
  text: string;
  words: Word[];
  utterances: Utterance[];
  speakerRoleConfidence: number;
  /** Terms of the caller's vocabulary in the text; null when some window could not be searched; absent: none asked. */
  terms?: number | null;
  warnings: string[];
  metrics: {
    chunks: number;
    windows: number;
    retriedWindows: number;
    tokens: number;
    asrSeconds: number;
  };
}
