import test from "ava";
import { rateOf, realTimeFactor, standings, werOfClips } from "../../../bench/asr/report.ts";
import { takeTurns } from "../../../bench/asr/turns.ts";
import type { Contender, Question } from "../../../bench/contender.ts";

/** A contender whose answers take the seconds given, one after the other; writes down what it was asked. */
function contender(name: string, seconds: number[], asked: [string, Question][]): Contender {
  const ask = async (question: Question) => {
    asked.push([name, question]);
    return { seconds: seconds.shift() as number, text: "", language: null };
  };
  return { name, ask } as unknown as Contender;
}

test("everyone has a turn in every run, each with its own settings", async (t) => {
  const asked: [string, Question][] = [];
  const entries = [
    { contender: contender("a", [1, 9, 2], asked), settings: {}, label: "" },
    { contender: contender("b", [3, 4, 5], asked), settings: { batch_size: 8 }, label: "" },
  ];
  const question = { file: "x.wav", language: "en" };
  const answers = await takeTurns(entries, question, { runs: 3, what: "file", say: () => undefined });
  t.is(asked.map(([name]) => name).join(""), "ababab");
  t.deepEqual(asked[1]?.[1], { ...question, batch_size: 8 });
  t.deepEqual(
    answers.map((own) => own.map(({ seconds }) => seconds)),
    [
      [1, 9, 2],
      [3, 4, 5],
    ],
  );
});

const side = (name: string, ...seconds: number[]) => ({
  name,
  answers: seconds.map((value) => ({ seconds: value, text: "one two", texts: ["one", "two"], language: null })),
});

test("the median run counts, over the seconds of audio", (t) => {
  t.is(realTimeFactor(side("a", 1, 9, 2), 10), 0.2);
  const lines = standings([side("ours", 1), side("theirs", 3)], 10, [1.25, null]).split("\n");
  t.regex(lines[1] as string, /^ours +0\.1000 +10\.0 +1\.3 % +1\.00$/);
  t.regex(lines[2] as string, /^theirs +0\.3000 +3\.3 +– +3\.00$/);
});

test("clips are compared each with its own words, and those without words are left out", (t) => {
  const clips = [
    { path: "a", samples: 1, text: "one three" },
    { path: "b", samples: 1, text: null },
  ];
  t.is(werOfClips(side("a", 1), clips, "en"), 50);
  t.is(rateOf([], "en"), null);
});
