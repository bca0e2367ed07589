import { endsSentence } from "../alignment/segments.ts";
import { SAMPLE_RATE, type SpeakerTurns, type Word } from "../types.ts";

/** A border between speakers may move this far to a better place between words, seconds. */
const REACH = 0.5;
/** What the end of a sentence is worth beside a pause, seconds of pause. */
const SENTENCE = 0.4;
/** Words of somebody for less than this, in the middle of another's sentence, are the other's. */
const FLIP = 0.4;

/**
 * Who says each word: the turn it lies in, or the nearest one. Word times and turns are both a little off, so borders
 * between speakers settle where a sentence ends or a pause is, at most half a second away, and somebody who says a
 * syllable in the middle of another's sentence did not. Null for every word when there are no turns.
 */
export function wordSpeakers(words: readonly Word[], turns: SpeakerTurns["turns"]): (string | null)[] {
  if (turns.length === 0) return words.map(() => null);
  const speakers = nearest(words, turns);
  absorbFlips(words, speakers);
  moveBorders(words, speakers);
  return speakers;
}

function nearest(words: readonly Word[], turns: SpeakerTurns["turns"]): string[] {
  let at = 0;
  return words.map(({ start, end }) => {
    const middle = ((start + end) / 2) * SAMPLE_RATE;
    const distance = (turn: number) => {
      const { start: from, end: to } = turns[turn] as SpeakerTurns["turns"][number];
      return Math.max(0, from - middle, middle - to);
    };
    while (at + 1 < turns.length && distance(at + 1) <= distance(at)) at++;
    return (turns[at] as SpeakerTurns["turns"][number]).speaker;
  });
}

function absorbFlips(words: readonly Word[], speakers: string[]): void {
  for (const { from, to } of runs(speakers)) {
    const [before, after] = [speakers[from - 1], speakers[to]];
    if (before === undefined || before !== after) continue;
    const [first, last] = [words[from] as Word, words[to - 1] as Word];
    const alone = isBreak(words, from) || isBreak(words, to);
    if (!alone && last.end - first.start < FLIP) speakers.fill(before, from, to);
  }
}

function moveBorders(words: readonly Word[], speakers: string[]): void {
  const found = runs(speakers);
  for (const [index, { from }] of found.entries()) {
    const previous = found[index - 1];
    if (!previous) continue;
    // At least one word is left to either side; a border that moved is where the next one's run begins.
    const [first, last] = [previous.from + 1, (found[index] as Run).to - 1];
    let best = from;
    for (let place = first; place <= last; place++) {
      if (Math.abs(gapAt(words, place) - gapAt(words, from)) > REACH) continue;
      if (worth(words, place, from) > worth(words, best, from)) best = place;
    }
    const [left, right] = [speakers[from - 1] as string, speakers[from] as string];
    if (best < from) speakers.fill(right, best, from);
    else speakers.fill(left, from, best);
    (found[index] as Run).from = best;
  }
}

interface Run {
  from: number;
  to: number;
}

function runs(speakers: readonly string[]): Run[] {
  const found: Run[] = [];
  for (const [i, speaker] of speakers.entries()) {
    const last = found.at(-1);
    if (last && speakers[last.from] === speaker) last.to = i + 1;
    else found.push({ from: i, to: i + 1 });
  }
  return found;
}

/** The middle of the gap before a word. */
function gapAt(words: readonly Word[], place: number): number {
  return ((words[place - 1] as Word).end + (words[place] as Word).start) / 2;
}

function isBreak(words: readonly Word[], place: number): boolean {
  const [before, after] = [words[place - 1], words[place]];
  return !before || !after || endsSentence(before.text, after.text) || after.start - before.end >= 0.3;
}

function worth(words: readonly Word[], place: number, from: number): number {
  const [before, after] = [words[place - 1] as Word, words[place] as Word];
  const sentence = endsSentence(before.text, after.text) ? SENTENCE : 0;
  const pause = Math.min(after.start - before.end, SENTENCE);
  return sentence + pause - Math.abs(gapAt(words, place) - gapAt(words, from)) / 2;
}
