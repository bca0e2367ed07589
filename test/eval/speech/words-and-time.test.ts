import test from "ava";
import { comparedWord, comparedWords } from "../../../eval/speech/measure/compared-words.ts";
import { coverage, uncoveredShare } from "../../../eval/speech/measure/coverage.ts";
import {
  startIntervals,
  startPercentiles,
  type TimedWord,
  wordStarts,
} from "../../../eval/speech/measure/word-starts.ts";

const word = (text: string, start: number, end = start + 0.2): TimedWord => ({ text, start, end });

test("a word is compared without case, accents and punctuation", (t) => {
  t.deepEqual(["¿Está?", "don't", "[music]", "—", "Ñandú,", "3.5"].map(comparedWord), [
    "esta",
    "dont",
    "",
    "",
    "nandu",
    "35",
  ]);
  t.deepEqual(comparedWords([word("-", 1), word("Ja!", 2)]), [word("ja", 2)]);
});

test("start errors are of matched words only, and of repeated words the near one", (t) => {
  const reference = [word("one", 1), word("one", 2), word("two", 3), word("three", 4)];
  const { errors, words } = wordStarts(reference, [word("one", 2.05), word("too", 3.4), word("three", 3.9)]);
  t.deepEqual(
    errors.map((error) => Math.round(error)),
    [50, 100],
  );
  t.is(words, 4);
});

test("percentiles over all recordings, with intervals from drawing recordings", (t) => {
  const recordings = Array.from({ length: 20 }, (_, i) => ({
    errors: Array.from({ length: 50 }, (_, k) => k * 2 + i),
    words: 60,
  }));
  const found = startPercentiles(recordings);
  t.is(found?.p50, 58.5);
  t.true((found?.p90 ?? 0) < (found?.p95 ?? 0));
  const intervals = startIntervals(recordings);
  t.true((intervals?.p50.low ?? 0) < 58.5 && (intervals?.p50.high ?? 0) > 58.5);
  t.true((intervals?.p50.high ?? 0) - (intervals?.p50.low ?? 0) < 12);
  t.is(startPercentiles([{ errors: [], words: 3 }]), null);
  t.is(startIntervals([{ errors: [1], words: 1 }]), null);
});

const spans = [{ start: 0, end: 6 }];
const covered: [string, TimedWord[], TimedWord[], [number, number]][] = [
  ["the word itself", [word("a", 1)], [word("x", 1)], [0, 0]],
  ["a word half a second later", [word("a", 1)], [word("x", 1.7)], [0, 0]],
  ["a word 0.51 s later", [word("a", 1)], [word("x", 1.71)], [0, 0.2]],
  ["a word 0.51 s before", [word("a", 1)], [word("x", 0.29)], [0, 0.2]],
  ["a long word over it", [word("a", 3)], [word("x", 0, 5), word("y", 0.1)], [0, 0]],
  ["nothing, inside a window", [word("a", 1), word("b", 2, 2.5)], [], [0, 0.7]],
  ["nothing, outside every window", [word("a", 7)], [], [0.2, 0]],
];
for (const [name, reference, hypothesis, [voiceActivity, recognition]] of covered) {
  test(`uncovered speech: ${name}`, (t) => {
    const found = coverage(reference, hypothesis, spans);
    t.true(
      Math.abs(found.missedByVoiceActivity - voiceActivity) < 1e-9,
      `voice activity ${found.missedByVoiceActivity}`,
    );
    t.true(Math.abs(found.missedByRecognition - recognition) < 1e-9, `recognition ${found.missedByRecognition}`);
  });
}

test("the uncovered share is of word time over all recordings, in percent", (t) => {
  t.is(
    uncoveredShare([
      { total: 90, missedByVoiceActivity: 1, missedByRecognition: 0 },
      { total: 10, missedByVoiceActivity: 0, missedByRecognition: 1 },
    ]),
    2,
  );
});
