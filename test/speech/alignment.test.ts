import test from "ava";
import fc from "fast-check";
import { tokenPath } from "../../speech/alignment/attention-path.ts";
import { cutPacked, packedSpans } from "../../speech/alignment/packed-time.ts";
import { segmentsOf } from "../../speech/alignment/segments.ts";
import { uncoveredSpans } from "../../speech/alignment/uncovered.ts";
import { voicedRuns } from "../../speech/alignment/voiced.ts";
import { placeWords, type SpokenWord } from "../../speech/alignment/word-times.ts";
import { Attention } from "../../speech/whisper/attention.ts";
import { FRAMES } from "../../speech/whisper/model.ts";

/** Two heads that look where each token was said, one of them with a constant distraction. */
function lookingAt(frames: number, starts: number[]): Attention {
  const attention = new Attention(2, frames);
  for (const [row, start] of starts.entries()) {
    const end = starts[row + 1] ?? frames;
    const step = new Float32Array(2 * FRAMES);
    for (let frame = start; frame < end; frame++) step[frame] = step[FRAMES + frame] = 1 / (end - start);
    step[FRAMES + 3] = 0.5;
    attention.push(step, 0, 0, 1);
  }
  return attention;
}

test("the path through attention starts each token where it was looked for", (t) => {
  const starts = [0, 30, 55, 90, 140];
  const path = tokenPath(lookingAt(180, starts));
  t.is(path.frames, 180);
  for (const [row, start] of starts.entries()) t.true(Math.abs((path.starts[row] as number) - start) <= 1, `${row}`);
});

/** A sound where words are, nothing where they are not. */
function sound(length: number, runs: [number, number][]): Float32Array {
  const audio = new Float32Array(length);
  for (const [start, end] of runs) {
    for (let i = start; i < end; i++) audio[i] = 0.3 * Math.sin((i * 2 * Math.PI * 200) / 16_000);
  }
  return audio;
}

test("voice is found by energy, short closures are not gaps", (t) => {
  const audio = sound(32_000, [
    [3_200, 8_000],
    [8_320, 12_800],
    [16_000, 24_000],
  ]);
  t.deepEqual(voicedRuns(audio, 0, 32_000), [
    { start: 3_200, end: 12_800 },
    { start: 16_000, end: 24_000 },
  ]);
  t.deepEqual(voicedRuns(new Float32Array(1_600), 0, 1_600), [{ start: 0, end: 1_600 }]);
});

test("borders move to the gaps nearby, and words map to the recording across removed silence", (t) => {
  const spans = [
    { start: 100_000, end: 132_000 },
    { start: 200_000, end: 216_000 },
  ];
  const audio = sound(48_000, [
    [3_200, 12_000],
    [14_400, 30_000],
    [34_000, 46_000],
  ]);
  const words = [" One", " two", " three"].map((raw, index) => ({ raw, from: index, to: index + 1 }));
  // 20 ms frames: the path says 0, 0.8 and 2.0 s of packed audio.
  const placed = placeWords(words, { starts: Int32Array.of(0, 40, 100, 149), frames: 150 }, spans, audio);
  t.deepEqual(
    placed.map(({ raw, start, end }) => [raw, start, end]),
    [
      [" One", 103_200, 112_000],
      [" two", 114_400, 130_080],
      [" three", 201_920, 214_080],
    ],
  );
});

test("the longer a gap in the voice, the further the border that comes to it: no word holds a pause", (t) => {
  const words = [" grabando", " de"].map((raw, index) => ({ raw, from: index, to: index + 1 }));
  /** Where the second word starts when the path puts it 0.2 s before a gap of so many samples. */
  const startBefore = (gap: number) => {
    const audio = sound(40_000, [
      [1_600, 19_200],
      [19_200 + gap, 38_400],
    ]);
    const path = { starts: Int32Array.of(0, 47, 124), frames: 125 };
    const [, second] = placeWords(words, path, [{ start: 0, end: 40_000 }], audio);
    return second?.start;
  };
  t.is(startBefore(1_600), 47 * 320 + 800);
  t.is(startBefore(4_800), 24_000);
});

test("a word that the decoder looked for in the pause before a phrase belongs to that phrase", (t) => {
  const spans = [
    { start: 0, end: 20_000 },
    { start: 20_000, end: 36_000 },
  ];
  // The phrases' padding is silent: nothing is said from 0.7 to 1.4 s.
  const audio = sound(36_000, [
    [1_600, 11_200],
    [22_400, 32_000],
  ]);
  const words = [" One", " and", " two"].map((raw, index) => ({ raw, from: index, to: index + 1 }));
  const placed = placeWords(words, { starts: Int32Array.from([0, 36, 73]), frames: 112 }, spans, audio);
  t.deepEqual(
    placed.map(({ start }) => start >= 20_000),
    [false, true, true],
  );
});

test("voice without a word near it is left out; a word accounts for what it can last", (t) => {
  const spans = [
    { start: 100_000, end: 148_000 },
    { start: 200_000, end: 248_000 },
  ];
  const audio = sound(96_000, [
    [3_200, 44_800],
    [51_200, 92_800],
  ]);
  const word = (raw: string, start: number, end: number): SpokenWord => ({ raw, start, end });
  const told = [word(" one", 103_200, 120_000), word(" two", 120_000, 144_800)];
  t.deepEqual(uncoveredSpans(told, spans, audio), [spans[1]]);
  t.deepEqual(uncoveredSpans([...told, word(" three", 212_000, 231_000)], spans, audio), []);
  // One short word is not 2.6 s of speech; a number of many digits is.
  t.deepEqual(uncoveredSpans([...told, word(" to", 203_200, 244_800)], spans, audio), [spans[1]]);
  t.deepEqual(uncoveredSpans([...told, word(" 28013", 203_200, 244_800)], spans, audio), []);
  t.deepEqual(uncoveredSpans([], spans, new Float32Array(96_000)), spans);
});

test("of long speech only the part that was left out is heard again", (t) => {
  const span = { start: 100_000, end: 260_000 };
  const audio = sound(160_000, [[1_600, 158_400]]);
  const word = (start: number, end: number): SpokenWord => ({ raw: " something", start, end });
  const told = [word(100_000, 116_000), word(116_000, 132_000), word(196_000, 228_000), word(228_000, 260_000)];
  // Half a second from the words there is nothing; a little of what is around is heard too.
  t.deepEqual(uncoveredSpans(told, [span], audio), [{ start: 133_600, end: 194_400 }]);
});

const spansArbitrary = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 1_000, max: 100_000 })), {
    minLength: 1,
    maxLength: 4,
  })
  .map((pairs) => {
    let at = 0;
    return pairs.map(([pause, length]) => {
      const span = { start: at + pause, end: at + pause + length };
      at = span.end;
      return span;
    });
  });

test("words ascend, none is empty, each inside one span, whatever the path says", (t) => {
  const property = fc.property(
    spansArbitrary,
    fc.array(fc.tuple(fc.integer({ min: 0, max: 1_600 }), fc.constantFrom(" a", " 7,", " word", " longer")), {
      minLength: 1,
      maxLength: 40,
    }),
    (spans, tokens) => {
      const packed = packedSpans(spans);
      const starts = Int32Array.from(tokens.map(([start]) => start).sort((a, b) => a - b));
      const words = tokens.map(([, raw], index) => ({ raw, from: index, to: index + 1 }));
      const placed = placeWords(words, { starts, frames: 1_500 }, spans, new Float32Array(480_000).fill(0.1));
      let earliest = 0;
      for (const { start, end } of placed) {
        if (start < earliest || end <= start) return false;
        if (!packed.some((span) => start >= span.start && end <= span.end)) return false;
        earliest = end;
      }
      return placed.length === words.length;
    },
  );
  t.notThrows(() => fc.assert(property, { seed: 7, numRuns: 500 }));
});

test("cutting a packed window keeps every sample once", (t) => {
  const property = fc.property(spansArbitrary, fc.double({ min: 0, max: 1, noNaN: true }), (spans, share) => {
    const total = spans.reduce((sum, { start, end }) => sum + end - start, 0);
    const cut = Math.round(total * share);
    const halves = [cutPacked(spans, 0, cut), cutPacked(spans, cut, total)];
    const lengths = halves.map((half) => half.reduce((sum, { start, end }) => sum + end - start, 0));
    return lengths[0] === cut && lengths[1] === total - cut;
  });
  t.notThrows(() => fc.assert(property, { seed: 3, numRuns: 300 }));
});

test("segments end at sentences and at pauses, in seconds", (t) => {
  const words = " Yes. Mr. Low paid 3.5 euros, and then left"
    .split(/(?= )/)
    .map((raw, index): SpokenWord => ({ raw, start: 1_600 + index * 8_000, end: 8_000 + index * 8_000 }));
  (words.at(-1) as SpokenWord).start += 40_000;
  (words.at(-1) as SpokenWord).end += 40_000;
  const segments = segmentsOf(words);
  t.deepEqual(
    segments.map(({ text }) => text),
    ["Yes.", "Mr. Low paid 3.5 euros, and then", "left"],
  );
  t.deepEqual(segments[0]?.words, [{ text: "Yes.", start: 0.1, end: 0.5 }]);
  t.is(segments[1]?.start, 0.6);
});
