import { type Chunk, type Plan, SAMPLE_RATE, type Span, type Window } from "./types.ts";
import { FRAME } from "./voice-activity/frames.ts";

/** What Whisper's encoder hears in one run. */
export const WINDOW_SAMPLES = 30 * SAMPLE_RATE;
/** A chunk is read into memory by whoever recognises it, so its range is bounded however sparse its speech. */
export const CHUNK_SAMPLES = 300 * SAMPLE_RATE;
/** Below this a chunk is hardly worth an activity of its own. */
const SHORT_CHUNK_SAMPLES = 30 * SAMPLE_RATE;
const CHUNK_WINDOWS = 8;
/** 300 ms on both sides of speech: the detector is late on soft beginnings and early on trailing consonants. */
const PADDING = 0.3 * SAMPLE_RATE;
/**
 * What the windows on both sides of a cut through speech hear beyond it: a word and its surroundings, so that one cut in
 * two is whole in at least one of them.
 */
export const BEYOND = SAMPLE_RATE;

/** Code of the warning that speech was told from silence by its loudness only. */
export const VAD_FAILED = "vad_failed";

/** True when windows may hold anything that sounds, so that recognition must doubt what it hears. */
export function isUnguarded({ warnings }: Plan): boolean {
  return warnings.some((warning) => warning.startsWith(VAD_FAILED));
}

export interface Recording {
  /** Length at 16 kHz. */
  samples: number;
  durationMs: number;
  channels: number;
  channelsDiffer: boolean;
  /** Speech without padding, ascending and disjoint, inside the recording. */
  speech: Span[];
  /** How much each frame of 512 samples is unfit for a cut: its probability of speech, or its loudness. */
  probabilities: Float32Array;
  warnings: string[];
}

/**
 * Packs the speech of a recording into windows of at most 30 s, and windows into chunks of at most 8 windows and 300 s
 * of recording. Windows are cut at silence; speech that goes on for more than 30 s is cut where speech is least
 * probable in the second half of a window, and both sides hear a second beyond the cut. A chunk's range runs from its
 * first speech to its last, so but for such overlaps a sample belongs to one chunk, or to none when it is silence
 * between two. Pure and deterministic; memory grows with the number of pauses only.
 */
export function planRecording(recording: Recording): Plan {
  const phrases = pad(recording.speech, recording.samples).flatMap((span) => cut(span, recording.probabilities));
  const windows = pack(phrases);
  const stereo = recording.channels === 2 && recording.channelsDiffer;
  const speech = phrases.reduce((sum, span) => sum + length(span), 0);
  return {
    version: 1,
    sampleRate: SAMPLE_RATE,
    samples: recording.samples,
    durationMs: recording.durationMs,
    speechMs: Math.round(speech / (SAMPLE_RATE / 1_000)),
    channels: recording.channels,
    stereo,
    chunks: chunk(windows),
    warnings: [...(recording.channelsDiffer ? ["stereo_source_available"] : []), ...recording.warnings],
  };
}

/** Speech with its padding. Where a pause has no room for both paddings, its middle is the border. */
function pad(speech: Span[], samples: number): Span[] {
  return speech.map((span, index) => {
    const before = speech[index - 1];
    const after = speech[index + 1];
    return {
      start: Math.max(span.start - PADDING, before ? middle(before, span) : 0),
      end: Math.min(span.end + PADDING, after ? middle(span, after) : samples),
    };
  });
}

function middle(left: Span, right: Span): number {
  return Math.floor((left.end + right.start) / 2);
}

/** Speech that one window holds whole, and how far it is to be heard beyond its ends where it was cut. */
interface Piece extends Span {
  before: number;
  after: number;
}

/** Pieces of at most a window with what is heard beyond them. Of equally good places the latest wins: fewer pieces. */
function cut(span: Span, probabilities: Float32Array): Piece[] {
  const pieces: Piece[] = [];
  let { start } = span;
  let before = 0;
  while (before + span.end - start > WINDOW_SAMPLES) {
    const latest = start + WINDOW_SAMPLES - before - BEYOND;
    let at = latest;
    let least = Number.POSITIVE_INFINITY;
    const last = Math.floor((latest - FRAME / 2) / FRAME);
    for (let frame = last; frame * FRAME >= start + WINDOW_SAMPLES / 2; frame--) {
      const probability = probabilities[frame] ?? Number.POSITIVE_INFINITY;
      if (probability < least) {
        least = probability;
        at = frame * FRAME + FRAME / 2;
      }
    }
    pieces.push({ start, end: at, before, after: Math.min(BEYOND, span.end - at) });
    start = at;
    before = BEYOND;
  }
  pieces.push({ start, end: span.end, before, after: 0 });
  return pieces;
}

/** Two pieces of one cut phrase never fit the same window, so what is heard beyond a piece is at a window's end. */
function pack(pieces: Piece[]): Window[] {
  const windows: Window[] = [];
  let spans: Span[] = [];
  let own: Span = { start: 0, end: 0 };
  let held = 0;
  const close = () => {
    const [first, last] = [spans[0], spans.at(-1)];
    if (!first || !last) return;
    const whole = own.start === first.start && own.end === last.end;
    windows.push({ index: windows.length, spans, ...(!whole && { own }) });
    spans = [];
    held = 0;
  };
  for (const piece of pieces) {
    const heard = { start: piece.start - piece.before, end: piece.end + piece.after };
    const first = spans[0];
    if (first && (held + length(heard) > WINDOW_SAMPLES || heard.end - first.start > CHUNK_SAMPLES)) close();
    if (spans.length === 0) own = { start: piece.start, end: piece.end };
    own.end = piece.end;
    spans.push(heard);
    held += length(heard);
  }
  close();
  return windows;
}

function chunk(windows: Window[]): Chunk[] {
  const groups: Window[][] = [];
  for (const window of windows) {
    const group = groups.at(-1);
    if (group && group.length < CHUNK_WINDOWS && fits([...group, window])) group.push(window);
    else groups.push([window]);
  }
  lengthenLast(groups);
  return groups.map((group, index) => ({ index, ...range(group), windows: group }));
}

/** Moves windows from the last chunk but one to a last chunk that came out too short. */
function lengthenLast(groups: Window[][]): void {
  const [donor, last] = groups.slice(-2);
  if (!donor || !last) return;
  while (length(range(last)) < SHORT_CHUNK_SAMPLES) {
    const moved = donor.at(-1);
    if (!moved || !fits([moved, ...last]) || length(range(donor.slice(0, -1))) < SHORT_CHUNK_SAMPLES) return;
    last.unshift(moved);
    donor.pop();
  }
}

function fits(group: Window[]): boolean {
  return length(range(group)) <= CHUNK_SAMPLES;
}

function range(group: Window[]): Span {
  return { start: group[0]?.spans[0]?.start ?? 0, end: group.at(-1)?.spans.at(-1)?.end ?? 0 };
}

function length(span: Span): number {
  return span.end - span.start;
}
