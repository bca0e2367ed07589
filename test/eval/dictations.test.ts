import test from "ava";
import { dictationsOf, readDictationLines } from "../../eval/understanding/pii/dictations/read.ts";

test("a line is a call: its turns, its values by their pieces, without the marks", (t) => {
  const [call] = readDictationLines(
    "# a heading\nA: ¿móvil? | C: [PHONE:612 34] eh [PHONE:56] | A: vale | C: [PHONE:78], o [PHONE#2:el 699 00 11 22]\n",
    "es",
  );
  t.deepEqual(
    call?.call.utterances.map(({ speakerRole, text }) => [speakerRole, text]),
    [
      ["agent", "¿móvil?"],
      ["customer", "612 34 eh 56"],
      ["agent", "vale"],
      ["customer", "78, o el 699 00 11 22"],
    ],
  );
  const said = call?.gold.map(({ pieces }) =>
    pieces.map(({ utterance, start, end }) => call.call.utterances[utterance]?.text.slice(start, end)),
  );
  t.deepEqual(said, [["612 34", "56", "78"], ["699 00 11 22"]]);
});

for (const [what, line] of [
  ["a type that there is not", "C: es el [MOBILE:612]"],
  ["a mark without a value", "C: es el [PHONE:]"],
  ["a turn that is nobody's", "es el [PHONE:612]"],
] as const)
  test(`${what} is refused, with its line`, (t) => {
    t.throws(() => readDictationLines(`\n${line}`, "es"), { message: /^es, line 2: no / });
  });

for (const collection of ["dictation", "everyday"] as const)
  test(`the sets of the ${collection} are as large as their figures need, in both halves`, async (t) => {
    const calls = [...(await dictationsOf(collection, "es")), ...(await dictationsOf(collection, "en"))];
    const count = new Map<string, number>();
    for (const { type } of calls.flatMap(({ gold }) => gold)) count.set(type, (count.get(type) ?? 0) + 1);
    t.is(count.size, 10);
    t.true([...count.values()].every((values) => values >= (collection === "dictation" ? 24 : 10)));
    t.true(calls.filter(({ gold }) => gold.length === 0).length >= 75);
    for (const half of ["first", "second"])
      t.true(calls.filter((call) => call.half === half).length > calls.length / 3);
  });
