import type { Transcript, Utterance, Word } from "./types.ts";

/** What stands on the screen at once. */
export interface Cue {
  start: number;
  end: number;
  /** One or two lines. */
  lines: string[];
  utterance: Utterance;
}

export const LINE_CHARACTERS = 42;
export const CUE_LINES = 2;
export const CUE_SECONDS = 7;
/** A silence this long clears the screen. */
const CUE_PAUSE = 1;
/** A short cue stays this long where the next one leaves room. */
const READABLE_SECONDS = 1;

/** Cuts a transcript's words into cues; no cue spans two utterances. `separator` stands between words. */
export function cuesOf({ words, utterances, durationMs }: Transcript, separator: string): Cue[] {
  const cues: Cue[] = [];
  let next = 0;
  for (const utterance of utterances) {
    const spoken: Word[] = [];
    for (; next < words.length && (words[next] as Word).start < utterance.end; next++) spoken.push(words[next] as Word);
    cues.push(...cutUtterance(utterance, spoken.flatMap(shorten), separator));
  }
  return cues.map((cue, index) => {
    const room = Math.min(cues[index + 1]?.start ?? durationMs / 1_000, cue.start + READABLE_SECONDS);
    return { ...cue, end: Math.max(Math.min(cue.end, cue.start + CUE_SECONDS), room) };
  });
}

function cutUtterance(utterance: Utterance, words: readonly Word[], separator: string): Cue[] {
  const cues: Cue[] = [];
  let run: Word[] = [];
  const close = () => {
    const [first, last] = [run[0], run.at(-1)];
    if (first && last) {
      cues.push({ start: first.start, end: last.end, lines: wrap(run, separator), utterance });
    }
    run = [];
  };
  for (const word of words) {
    const [first, last] = [run[0], run.at(-1)];
    if (first && last) {
      const tooLong = word.end - first.start > CUE_SECONDS || word.start - last.end >= CUE_PAUSE;
      if (tooLong || wrap([...run, word], separator).length > CUE_LINES) close();
    }
    run.push(word);
  }
  close();
  return cues;
}

/** Lines of at most LINE_CHARACTERS, filled from the first. */
function wrap(words: readonly Word[], separator: string): string[] {
  const lines: string[] = [];
  for (const { text } of words) {
    const line = lines.at(-1);
    const longer = line === undefined ? text : line + separator + text;
    if (line !== undefined && width(longer) <= LINE_CHARACTERS) lines[lines.length - 1] = longer;
    else lines.push(text);
  }
  return lines;
}

/** Words longer than a line, such as an address spelt out, in pieces that share the word's time evenly. */
function shorten(word: Word): Word[] {
  const characters = Array.from(word.text);
  if (characters.length <= LINE_CHARACTERS) return [word];
  const count = Math.ceil(characters.length / LINE_CHARACTERS);
  const step = (word.end - word.start) / count;
  return Array.from({ length: count }, (_, piece) => ({
    text: characters.slice(piece * LINE_CHARACTERS, (piece + 1) * LINE_CHARACTERS).join(""),
    start: word.start + piece * step,
    end: word.start + (piece + 1) * step,
  }));
}

function width(text: string): number {
  return Array.from(text).length;
}
