import test from "ava";
import type { DemoTranscript } from "../../bench/demo.ts";
import { findFaults } from "../../bench/transcript-faults.ts";

const file = { path: "x.wav", language: "es", samples: 32_000, text: "hola", turns: [] };
const right: DemoTranscript = {
  status: "completed",
  language: "es",
  audio_duration: 2,
  text: "hola mundo",
  words: [
    { text: "hola", start: 0.1, end: 0.5 },
    { text: "mundo", start: 0.5, end: 1.2 },
  ],
  utterances: [{ text: "hola mundo", start: 0.1, end: 1.2 }],
};

test("a right transcript has no fault", (t) => {
  t.deepEqual(findFaults(right, file), []);
});

const faults: [string, Partial<DemoTranscript>, RegExp][] = [
  ["not completed", { status: "failed" }, /status is failed/],
  ["the wrong language", { language: "en" }, /language en/],
  ["a duration 51 ms off", { audio_duration: 2.051 }, /audio_duration 2\.051/],
  ["a text that is not the utterances'", { text: "hola" }, /text is not/],
  ["a word before the one before", { words: right.words.toReversed() }, /after 0\.5/],
  ["a word that ends before it starts", { words: [{ text: "hola", start: 0.5, end: 0.4 }] }, /0\.5-0\.4/],
  ["a word past the audio", { words: [{ text: "hola", start: 0.5, end: 2.2 }] }, /in 2 s/],
  ["a word in no utterance", { words: [{ text: "hola", start: 0.05, end: 0.5 }] }, /in no utterance/],
];
for (const [name, change, expected] of faults) {
  test(`found: ${name}`, (t) => {
    t.regex(findFaults({ ...right, ...change }, file).join("\n"), expected);
  });
}
