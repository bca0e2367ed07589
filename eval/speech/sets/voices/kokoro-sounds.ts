/** One sound that the voice makes, and the word it belongs to; a space or a mark belongs to none. */
export interface Sound {
  symbol: string;
  word: number | null;
}

const STRESS = /[ˈˌ]/;
const MARK = /[,.;:!?]/;

/**
 * The sounds of a sentence, each with its word. espeak-ng writes some words together ("aɪɐm" for "I am"), so where the
 * groups of the sentence are not its words, each word's beginning is found by aligning the sentence with what the words
 * sound like alone, and the space is put back.
 */
export function soundsOfWords(sentence: string, words: string[]): Sound[] {
  const groups = sentence.split(" ");
  if (groups.length === words.length) {
    return groups.flatMap((group, word) => [...space(word), ...[...group].map((symbol) => owned(symbol, word))]);
  }
  const heard = [...sentence].filter((symbol) => symbol !== " " && !STRESS.test(symbol) && !MARK.test(symbol));
  const owners = align(
    heard,
    words.flatMap((word, index) => [...word].filter((s) => !STRESS.test(s)).map((symbol) => ({ symbol, index }))),
  );
  const sounds: Sound[] = [];
  let at = 0;
  let word = 0;
  for (const symbol of sentence) {
    if (symbol === " ") continue;
    if (MARK.test(symbol)) {
      sounds.push({ symbol, word: null });
      continue;
    }
    // A stress mark stands before its syllable, and so belongs to the sound that follows.
    const next = Math.max(word, owners[at] ?? word);
    if (next !== word) sounds.push({ symbol: " ", word: null });
    word = next;
    sounds.push({ symbol, word });
    if (!STRESS.test(symbol)) at++;
  }
  return sounds;
}

const space = (word: number): Sound[] => (word === 0 ? [] : [{ symbol: " ", word: null }]);
const owned = (symbol: string, word: number): Sound => ({ symbol, word: MARK.test(symbol) ? null : word });

/** For each sound heard, the word of the sound it is aligned with (fewest edits). */
function align(heard: string[], alone: { symbol: string; index: number }[]): number[] {
  const [n, m] = [heard.length, alone.length];
  const cost = Array.from({ length: n + 1 }, () => new Float64Array(m + 1));
  const at = (i: number, j: number) => (cost[i] as Float64Array)[j] as number;
  for (let i = 0; i <= n; i++) {
    for (let j = 0; j <= m; j++) {
      const best =
        i === 0 || j === 0
          ? i + j
          : Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + difference(heard[i - 1], alone[j - 1]));
      (cost[i] as Float64Array)[j] = best;
    }
  }
  const owners = new Array<number>(n).fill(0);
  let [i, j] = [n, m];
  while (i > 0) {
    if (j > 0 && at(i, j) === at(i - 1, j - 1) + difference(heard[i - 1], alone[j - 1])) {
      owners[--i] = (alone[--j] as { index: number }).index;
    } else if (at(i, j) === at(i - 1, j) + 1) {
      owners[--i] = alone[Math.max(0, j - 1)]?.index ?? 0;
    } else j--;
  }
  return owners;
}

const difference = (a: string | undefined, b: { symbol: string } | undefined) => (a === b?.symbol ? 0 : 1.5);
