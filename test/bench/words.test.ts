import test from "ava";
import { edits, normalise, wordErrorRate } from "../../bench/words.ts";

test("case, accents, punctuation and small numbers do not count", (t) => {
  t.deepEqual(normalise("Marque 1, si está listo.", "es"), ["marque", "uno", "si", "esta", "listo"]);
  t.deepEqual(normalise("Press 20; Mr. Dashwood's call", "en"), ["press", "twenty", "mister", "dashwood's", "call"]);
  t.is(wordErrorRate("Press two to exit.", "press 2 to exit", "en"), 0);
});

test("edits are the fewest insertions, deletions and substitutions", (t) => {
  const words = (text: string) => text.split("").filter(Boolean);
  t.is(edits(words("kitten"), words("sitting")), 3);
  t.is(edits(words("abc"), []), 3);
  t.is(edits([], words("ab")), 2);
  t.is(edits(words("abcd"), words("acbd")), 2);
});

test("the rate is edits over the reference's words, in percent", (t) => {
  t.is(wordErrorRate("one two three four", "one too three four five", "en"), 50);
  t.is(wordErrorRate("one two", "", "en"), 100);
  t.throws(() => wordErrorRate("...", "anything", "en"), { message: /no words/ });
});
