import test from "ava";
import fc from "fast-check";
import { edits } from "../../../bench/words.ts";
import { align } from "../../../eval/speech/measure/align.ts";

const words = (text: string) => text.split(" ").filter(Boolean);

test("steps pair, delete and insert with the fewest edits", (t) => {
  const shown = (reference: string, hypothesis: string) =>
    align(words(reference), words(hypothesis)).map(({ reference: i, hypothesis: j, match }) => [i, j, match]);
  t.deepEqual(shown("a b c", "a x c"), [
    [0, 0, true],
    [1, 1, false],
    [2, 2, true],
  ]);
  t.deepEqual(shown("a b", "a"), [
    [0, 0, true],
    [1, null, false],
  ]);
  t.deepEqual(shown("", "a"), [[null, 0, false]]);
  t.deepEqual(shown("", ""), []);
});

test("every alignment costs as many edits as Levenshtein's, and uses each word once and in order", (t) => {
  const list = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 12 });
  fc.assert(
    fc.property(list, list, (reference, hypothesis) => {
      const steps = align(reference, hypothesis);
      t.is(steps.filter(({ match }) => !match).length, edits(reference, hypothesis));
      t.deepEqual(
        steps.flatMap(({ reference: i }) => (i === null ? [] : [i])),
        reference.map((_, i) => i),
      );
      t.deepEqual(
        steps.flatMap(({ hypothesis: j }) => (j === null ? [] : [j])),
        hypothesis.map((_, j) => j),
      );
    }),
  );
});

test("of equally good alignments the nearest in time is taken, and nearness never costs an edit", (t) => {
  const [said, heard] = [[0, 5], [5]];
  const apart = (i: number, j: number) => Math.abs((said[i] as number) - (heard[j] as number)) / 10;
  t.deepEqual(align(["one", "one"], ["one"], apart).at(-1), { reference: 1, hypothesis: 0, match: true });
  // Far away in time or not, a match beats a deletion and an insertion.
  t.is(align(["a", "b"], ["a", "b"], () => 1).filter(({ match }) => match).length, 2);
});

test("what would take gigabytes is refused", (t) => {
  const long = Array.from({ length: 30_000 }, () => "a");
  t.throws(() => align(long, long), { instanceOf: RangeError, message: /30000 and 30000 words/ });
});
