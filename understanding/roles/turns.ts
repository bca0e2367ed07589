import type { Call } from "../types.ts";
import { countWords, plainWords } from "./plain-words.ts";

/** What one speaker says until another does, as plain words. */
export interface Turn {
  speaker: string;
  plain: string;
  words: number;
}

/** Utterances without a speaker are left out: nothing follows from them. */
export function turnsOf({ utterances }: Pick<Call, "utterances">): Turn[] {
  const turns: Turn[] = [];
  for (const { speaker, text } of utterances) {
    const plain = plainWords(text);
    if (speaker === null || plain === "") continue;
    const last = turns.at(-1);
    if (last?.speaker === speaker) {
      last.plain += ` . ${plain}`;
      last.words += countWords(plain);
    } else turns.push({ speaker, plain, words: countWords(plain) });
  }
  return turns;
}

/** Fewer words than these, or a smaller share, may be a scrap of somebody else that got a number of its own. */
const SPEAKER_WORDS = 5;
const SPEAKER_SHARE = 0.04;

/** Speakers who say enough to be somebody, in order of first speech. */
export function speakersOf(turns: readonly Turn[]): string[] {
  const words = new Map<string, number>();
  for (const turn of turns) words.set(turn.speaker, (words.get(turn.speaker) ?? 0) + turn.words);
  const total = [...words.values()].reduce((sum, count) => sum + count, 0);
  return [...words].flatMap(([speaker, count]) =>
    count >= SPEAKER_WORDS && count >= SPEAKER_SHARE * total ? [speaker] : [],
  );
}
