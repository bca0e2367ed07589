import test from "ava";
import { makeTalk } from "../../eval/understanding/pii/talk/calls.ts";
import { phrasesOf } from "../../eval/understanding/pii/talk/phrases.ts";

test("a seed makes the same calls, with values of every type that has a form", async (t) => {
  const calls = await makeTalk("es", "first", 40, 7);
  t.deepEqual(calls, await makeTalk("es", "first", 40, 7));
  t.notDeepEqual(calls, await makeTalk("es", "first", 40, 8));
  t.is(new Set(calls.flatMap(({ gold }) => gold.map(({ type }) => type))).size, 8);
});

for (const language of ["es", "en"] as const)
  test(`the halves share no phrase but those that are in both (${language})`, async (t) => {
    const [first, second] = [await phrasesOf(language, "first"), await phrasesOf(language, "second")];
    for (const section of ["ask", "give", "state", "filler", "link", "nod", "slip", "harmless"]) {
      t.true(first(section).length > 2 && second(section).length > 2, section);
      t.deepEqual(
        first(section).filter((line) => second(section).includes(line)),
        [],
      );
    }
    t.true(second("names PHONE").some((name) => first("names PHONE").includes(name)));
    t.throws(() => first("nothing"), { message: /no phrase/ });
  });

for (const language of ["es", "en"] as const)
  for (const half of ["first", "second"] as const)
    test(`a value's places hold words of it, in turns that are there (${language}, ${half})`, async (t) => {
      for (const { call, gold } of await makeTalk(language, half, 60, 7))
        for (const { type, pieces } of gold) {
          t.true(pieces.length > 0, type);
          for (const { utterance, start, end } of pieces) {
            const text = call.utterances[utterance]?.text ?? "";
            t.true(start < end && end <= text.length);
            t.regex(text.slice(start, end), /[\p{L}\p{N}@.]/u);
          }
        }
    });
