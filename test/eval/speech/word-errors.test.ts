import test from "ava";
import { bootstrap } from "../../../eval/speech/measure/intervals.ts";
import { excess, pair, wordErrorRate, wordErrors } from "../../../eval/speech/measure/word-errors.ts";

const words = (text: string) => text.split(" ").filter(Boolean);

const cases: [string, string[], string, number[]][] = [
  ["nothing wrong", ["a b", "c d"], "a b c d", [0, 0]],
  ["a substitution in the second", ["a b", "c d"], "a b x d", [0, 1]],
  ["deletions on both sides of a border", ["a b", "c d"], "a d", [1, 1]],
  ["an insertion belongs to the utterance before", ["a b", "c d"], "a b x c d", [1, 0]],
  ["an insertion before all belongs to the first", ["a b", "c d"], "x a b c d", [1, 0]],
  ["nothing heard", ["a b", "c"], "", [2, 1]],
];
for (const [name, utterances, heard, expected] of cases) {
  test(`word errors by utterance: ${name}`, (t) => {
    const units = wordErrors(utterances.map(words), words(heard));
    t.deepEqual(
      units.map(({ errors }) => errors),
      expected,
    );
    t.deepEqual(
      units.map(({ words: count }) => count),
      utterances.map((utterance) => words(utterance).length),
    );
  });
}

test("the rate is errors over words, in percent", (t) => {
  t.is(
    wordErrorRate([
      { words: 6, errors: 1 },
      { words: 2, errors: 1 },
    ]),
    25,
  );
  t.is(wordErrorRate([]), Number.NaN);
});

test("the paired interval is narrower than the rates': what both get wrong does not count", (t) => {
  const ours = Array.from({ length: 200 }, (_, i) => ({ words: 10, errors: i % 5 }));
  const theirs = ours.map((unit, i) => ({ ...unit, errors: unit.errors + (i % 20 === 0 ? 1 : 0) }));
  const paired = pair(ours, theirs);
  t.is(excess(paired), -0.5);
  const interval = bootstrap(paired, excess, { resamples: 2_000 });
  t.true((interval?.low ?? 0) > -1 && (interval?.low ?? 0) < -0.5);
  t.true((interval?.high ?? 0) < 0);
  t.throws(() => pair(ours, ours.slice(1)), { message: /different utterances/ });
});
