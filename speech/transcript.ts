import { endsSentence } from "./alignment/segments.ts";
import { wordSpeakers } from "./diarization/word-speakers.ts";
import { settleLanguage } from "./language/decision.ts";
import { UNDETERMINED, wordSeparator } from "./languages.ts";
import { isUnguarded } from "./plan.ts";
import { joinSeams } from "./seams.ts";
import type {
  LanguageResult,
  Plan,
  Segment,
  SpeakerTurns,
  Transcript,
  Utterance,
  WindowResult,
  Word,
} from "./types.ts";

/** Silence that ends an utterance even in the middle of a sentence, seconds. */
const UTTERANCE_PAUSE = 1;
/** Where speech goes on without a full stop, an utterance ends with the first segment that reaches this length. */
const UTTERANCE_SECONDS = 20;

/**
 * Puts the windows of a recording together. Utterances are sentences, or what a pause of a second or a change of
 * speaker sets apart. Without `speakers` every utterance's is null and the warning `diarization_unavailable` says so. A
 * recording without words is a transcript too, with `asr_no_segments`. Throws IncompleteRecognition when a window of the
 * plan is absent.
 */
export async function assembleTranscript(
  plan: Plan,
  identified: LanguageResult,
  windows: AsyncIterable<WindowResult> | Iterable<WindowResult>,
  speakers: SpeakerTurns | null = null,
): Promise<Transcript> {
  const results = joinSeams(plan, await collect(plan, windows));
  const language = settleLanguage(identified, results);
  const segments = inOrder(
    results
      .filter((result) => !isDoubtful(plan, result))
      .flatMap((result) => result.segments.map((segment) => ({ language: result.language, ...segment }))),
    plan.durationMs / 1_000,
  );
  const pieces = bySpeaker(segments, speakers?.turns ?? []);
  const utterances = groupSegments(pieces).map(toUtterance);
  return {
    language: language.language,
    languageConfidence: results.length === 0 ? 0 : language.confidence,
    durationMs: plan.durationMs,
    speechMs: plan.speechMs,
    text: utterances.map(({ text }) => text).join(" "),
    words: segments.flatMap(({ words }) => words),
    utterances,
    speakerRoleConfidence: 0,
    ...termsOf(results),
    warnings: [
      ...new Set([
        ...plan.warnings,
        ...language.warnings,
        ...(segments.length === 0 ? ["asr_no_segments"] : []),
        ...(speakers?.warnings ?? ["diarization_unavailable"]),
      ]),
    ],
    metrics: {
      chunks: plan.chunks.length,
      windows: results.length,
      retriedWindows: results.filter(({ retries }) => retries.length > 0).length,
      tokens: results.reduce((sum, { tokens }) => sum + tokens, 0),
      asrSeconds: Math.round(results.reduce((sum, { computeMs }) => sum + computeMs, 0)) / 1_000,
    },
  };
}

/** Terms counted over the windows; absent when a window was recognised without a vocabulary. */
function termsOf(results: readonly WindowResult[]): Pick<Transcript, "terms"> {
  if (results.length === 0 || results.some(({ terms }) => terms === undefined)) return {};
  if (results.some(({ terms }) => terms === null)) return { terms: null };
  return { terms: results.reduce((sum, { terms }) => sum + (terms ?? 0), 0) };
}

/**
 * Where voice detection failed a window may hold no voice at all, so an unlikely text is nobody's: Whisper's own bound
 * (openai/whisper transcribe.py, logprob_threshold) instead of the lower one that holds for speech.
 */
function isDoubtful(plan: Plan, { averageLogprob }: WindowResult): boolean {
  return isUnguarded(plan) && averageLogprob < -1;
}

/** Results in the plan's order, each window once. */
async function collect(
  plan: Plan,
  windows: AsyncIterable<WindowResult> | Iterable<WindowResult>,
): Promise<WindowResult[]> {
  const byIndex = new Map<number, WindowResult>();
  for await (const result of windows) byIndex.set(result.index, result);
  return plan.chunks
    .flatMap((chunk) => chunk.windows)
    .map(({ index }) => {
      const result = byIndex.get(index);
      if (!result) throw new IncompleteRecognition(index);
      return result;
    });
}

export class IncompleteRecognition extends Error {
  override name = "IncompleteRecognition";
  readonly window: number;
  constructor(window: number) {
    super(`window ${window} of the plan has no result`);
    this.window = window;
  }
}

/**
 * Holds words to what a client may rely on: ascending, start before end, inside the audio. Recognition gives them so
 * already; rounding to milliseconds and a last frame that hangs over the end are what is mended here.
 */
function inOrder(segments: readonly Segment[], duration: number): Segment[] {
  let earliest = 0;
  return segments.flatMap((segment) => {
    const words: Word[] = [];
    for (const { text, start: from, end: to } of segment.words) {
      const start = milliseconds(Math.min(Math.max(from, earliest), duration - MILLISECOND));
      const end = milliseconds(Math.min(Math.max(to, start + MILLISECOND), duration));
      if (start < earliest || end <= start) continue; // no room left: the recording has ended
      words.push({ text, start, end });
      earliest = end;
    }
    const [first, last] = [words[0], words.at(-1)];
    return first && last ? [{ ...segment, start: first.start, end: last.end, words }] : [];
  });
}

const MILLISECOND = 0.001;

function milliseconds(seconds: number): number {
  return Math.round(seconds * 1_000) / 1_000;
}

/** A segment, or the part of one that one speaker says. */
interface Piece extends Segment {
  speaker: string | null;
}

function bySpeaker(segments: readonly Segment[], turns: SpeakerTurns["turns"]): Piece[] {
  const speakers = wordSpeakers(
    segments.flatMap(({ words }) => words),
    turns,
  );
  let next = 0;
  return segments.flatMap((segment) => {
    const pieces: Piece[] = [];
    for (const word of segment.words) {
      const speaker = speakers[next++] ?? null;
      const last = pieces.at(-1);
      if (last && last.speaker === speaker) last.words.push(word);
      else pieces.push({ speaker, text: "", start: word.start, end: word.end, words: [word] });
    }
    if (pieces.length === 1) return [{ ...segment, speaker: (pieces[0] as Piece).speaker }];
    return pieces.map((piece) => ({
      ...segment,
      ...piece,
      text: piece.words.map(({ text }) => text).join(separatorOf(segment)),
      end: (piece.words.at(-1) as Word).end,
    }));
  });
}

function groupSegments(segments: readonly Piece[]): Piece[][] {
  const groups: Piece[][] = [];
  for (const segment of segments) {
    const group = groups.at(-1);
    if (group && belongsTo(group, segment)) group.push(segment);
    else groups.push([segment]);
  }
  return groups;
}

function belongsTo(group: readonly Piece[], segment: Piece): boolean {
  const [first, last] = [group[0] as Piece, group.at(-1) as Piece];
  return (
    last.speaker === segment.speaker &&
    segment.language === last.language &&
    segment.start - last.end < UTTERANCE_PAUSE &&
    last.end - first.start < UTTERANCE_SECONDS &&
    !endsSentence(last.words.at(-1)?.text ?? "", segment.text)
  );
}

function toUtterance(group: readonly Piece[]): Utterance {
  const [first, last] = [group[0] as Piece, group.at(-1) as Piece];
  return {
    speaker: first.speaker,
    speakerRole: null,
    text: group.map(({ text }) => text).join(separatorOf(first)),
    start: first.start,
    end: last.end,
  };
}

function separatorOf({ language }: Segment): string {
  return wordSeparator(language ?? UNDETERMINED);
}
