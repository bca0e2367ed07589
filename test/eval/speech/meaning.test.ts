import test from "ava";
import { byLanguage, languageHits } from "../../../eval/speech/measure/languages.ts";
import { leftNullOrWarned, type RoleAnswer, roleOutcome } from "../../../eval/speech/measure/roles.ts";
import { missedRecovered, termHits } from "../../../eval/speech/measure/vocabulary.ts";

test("a word's language is that of the window that heard it; words in no window do not count", (t) => {
  const windows = [
    { language: "en", spans: [{ start: 0, end: 5 }] },
    {
      language: "es",
      spans: [
        { start: 6, end: 8 },
        { start: 9, end: 12 },
      ],
    },
  ];
  const words = [
    { start: 1, end: 1.4, language: "en" },
    { start: 4.9, end: 5.3, language: "en" },
    { start: 7, end: 7.5, language: "en" },
    { start: 10, end: 10.5, language: "es" },
  ];
  t.deepEqual(languageHits(words, windows), { hits: 2, n: 3 });
});

test("a window in two languages is cut where its speech changes, over its pauses", (t) => {
  const spans = [
    { start: 0, end: 4 },
    { start: 6, end: 12 },
  ];
  const parts = [
    { language: "en", seconds: 5 },
    { language: "es", seconds: 4 },
  ];
  t.deepEqual(byLanguage({ language: "en", spans }, parts), [
    {
      language: "en",
      spans: [
        { start: 0, end: 4 },
        { start: 6, end: 7 },
      ],
    },
    { language: "es", spans: [{ start: 7, end: 12 }] },
  ]);
  t.deepEqual(byLanguage({ language: "en", spans }), [{ language: "en", spans }]);
  t.deepEqual(byLanguage({ language: "en", spans }, parts.slice(1)), [{ language: "es", spans }]);
});

test("what rounding leaves over of a part's seconds does not keep the cutting going", (t) => {
  const spans = [
    [0.02, 3.372],
    [3.828, 9.452],
    [9.492, 12.96],
    [12.96, 14.828],
    [15.252, 18.38],
    [18.452, 24.556],
    [25.044, 30.048],
  ].map(([start = 0, end = 0]) => ({ start, end }));
  const parts = [
    { language: "fr", seconds: 3.352 },
    { language: "en", seconds: 20.192 },
    { language: "fr", seconds: 5.004 },
  ];
  const cut = byLanguage({ language: "en", spans }, parts);
  t.deepEqual(
    cut.map(({ language, spans }) => [language, spans.length]),
    [
      ["fr", 1],
      ["en", 5],
      ["fr", 1],
    ],
  );
});

const turns = [
  { speaker: "a", start: 0, end: 5 },
  { speaker: "b", start: 5, end: 10 },
];
const roles = { a: "agent", b: "customer" };
const says = (first: string | null, second: string | null, changes: Partial<RoleAnswer> = {}): RoleAnswer => ({
  utterances: [
    { speakerRole: first, start: 0, end: 5 },
    { speakerRole: second, start: 5, end: 10 },
  ],
  confidence: 0.9,
  warnings: [],
  ...changes,
});
const outcomes: [string, RoleAnswer, ReturnType<typeof roleOutcome>][] = [
  ["both right", says("agent", "customer"), "right"],
  ["inverted", says("customer", "agent"), "wrong"],
  ["one of two wrong", says("agent", "agent"), "wrong"],
  ["one of two left null", says("agent", null), "right"],
  ["nobody", says(null, null), "unattributed"],
  ["inverted, but said to be unsure", says("customer", "agent", { confidence: 0.59 }), "unattributed"],
  ["warned of", says("customer", "agent", { warnings: ["attribution_heuristic_disagrees"] }), "unattributed"],
  ["with a warning that leaves them usable", says("agent", "customer", { warnings: ["lid_tie:es~ca"] }), "right"],
];
for (const [name, answer, expected] of outcomes) {
  test(`roles: ${name}`, (t) => {
    t.is(roleOutcome(turns, roles, answer), expected);
  });
}

test("roles of a call that nobody could tell: null, unusable or warned of", (t) => {
  t.true(leftNullOrWarned(says(null, null)));
  t.true(leftNullOrWarned(says("agent", "customer", { confidence: 0.5 })));
  t.true(leftNullOrWarned(says("agent", "customer", { warnings: ["diarization_low_minority_share"] })));
  t.false(leftNullOrWarned(says("agent", "customer")));
});

const words = (text: string) => text.split(" ").filter(Boolean);

test("terms said, found and invented", (t) => {
  const terms = ["zenbrix", "plan oro", "plan oro"].map(words);
  t.deepEqual(termHits(terms, words("su zenbrix del plan oro y zenbrix"), words("su zenbrix del plan oro y sembrix")), {
    said: 3,
    found: 2,
    invented: 0,
  });
  t.deepEqual(termHits(terms, words("hola"), words("zenbrix hola plan oro zenbrix")), {
    said: 0,
    found: 0,
    invented: 3,
  });
});

test("what was missed without the vocabulary and is found with it", (t) => {
  t.is(missedRecovered([{ said: 10, found: 4, invented: 0 }], [{ said: 10, found: 7, invented: 0 }]), 50);
  t.is(missedRecovered([{ said: 4, found: 4, invented: 0 }], [{ said: 4, found: 4, invented: 0 }]), Number.NaN);
});
