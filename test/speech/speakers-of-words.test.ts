import test from "ava";
import { wordSpeakers } from "../../speech/diarization/word-speakers.ts";
import type { SpeakerTurns, Word } from "../../speech/types.ts";

/** `text@start-end`, seconds. */
const words = (line: string): Word[] =>
  line.split(" ").map((one) => {
    const [text = "", times = ""] = one.split("@");
    const [start = 0, end = 0] = times.split("-").map(Number);
    return { text, start, end };
  });
const turns = (...list: [string, number, number][]): SpeakerTurns["turns"] =>
  list.map(([speaker, start, end]) => ({ speaker, start: start * 16_000, end: end * 16_000 }));

test("a word is said by whose turn it lies in, or by the nearest", (t) => {
  const line = words("So@0.1-0.4 what@0.4-0.6 is@0.6-0.8 it?@0.8-1.2 Nothing.@2.0-2.6 Fine.@3.9-4.2");
  const found = wordSpeakers(line, turns(["0", 0, 1.3], ["1", 1.9, 2.7], ["0", 4.3, 5]));
  t.deepEqual(found, ["0", "0", "0", "0", "1", "0"]);
});

test("without turns nobody says anything", (t) => {
  t.deepEqual(wordSpeakers(words("So@0-1 what@1-2"), []), [null, null]);
  t.deepEqual(wordSpeakers([], turns(["0", 0, 1])), []);
});

test("a border that is a little off settles where the sentence ends", (t) => {
  const line = words("I@0-0.2 do@0.2-0.4 not.@0.4-0.8 Then@0.8-1.1 we@1.1-1.3 wait@1.3-1.8 here.@1.8-2.2");
  for (const border of [0.45, 0.8, 1.05])
    t.deepEqual(wordSpeakers(line, turns(["0", 0, border], ["1", border, 2.2])), [..."0001111"], `${border}`);
  t.deepEqual(wordSpeakers(line, turns(["0", 0, 1.75], ["1", 1.75, 2.2])), [..."0000001"], "too far to move");
});

test("without a sentence's end near by the longest pause is taken", (t) => {
  const line = words("one@0-0.3 two@0.3-0.6 three@0.9-1.2 four@1.2-1.5");
  t.deepEqual(wordSpeakers(line, turns(["0", 0, 0.35], ["1", 0.35, 1.5])), [..."0011"]);
});

test("a syllable in the middle of another's sentence is the other's; a short answer is not", (t) => {
  const during = words("we@0-0.3 can@0.3-0.6 do@0.6-0.9 that@0.9-1.3 today@1.3-1.8");
  t.deepEqual(wordSpeakers(during, turns(["0", 0, 0.6], ["1", 0.6, 0.9], ["0", 0.9, 1.8])), [..."00000"]);
  const answer = words("Can@0-0.3 we?@0.3-0.6 Yes.@0.7-0.95 Then@1.0-1.3 come.@1.3-1.8");
  t.deepEqual(wordSpeakers(answer, turns(["0", 0, 0.65], ["1", 0.65, 0.97], ["0", 0.97, 1.8])), [..."00100"]);
});
