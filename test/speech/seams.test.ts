import test from "ava";
import fc from "fast-check";
import { joinSeams } from "../../speech/seams.ts";
import type { Plan, Segment, Window, WindowResult, Word } from "../../speech/types.ts";

/** Speech without a pause, cut at 20 s: both windows hear a second beyond. */
const CUT = 20;
const samples = (seconds: number) => Math.round(seconds * 16_000);

function planOf(windows: Window[]): Plan {
  const chunks = windows.map((window, index) => {
    const [first, last] = [window.spans[0], window.spans.at(-1)];
    return { index, start: first?.start ?? 0, end: last?.end ?? 0, windows: [window] };
  });
  const shape = { version: 1, sampleRate: 16_000, channels: 1, stereo: false, warnings: [] } as const;
  return { ...shape, samples: samples(60), durationMs: 60_000, speechMs: 40_000, chunks, warnings: [] };
}

const cutPlan = planOf([
  { index: 0, spans: [{ start: 0, end: samples(21) }], own: { start: 0, end: samples(CUT) } },
  { index: 1, spans: [{ start: samples(19), end: samples(40) }], own: { start: samples(CUT), end: samples(40) } },
]);

function segment(words: Word[], change: Partial<Segment> = {}): Segment {
  const text = words.map((word) => word.text).join(" ");
  return { text, start: words[0]?.start ?? 0, end: words.at(-1)?.end ?? 0, words, ...change };
}

function result(index: number, ...segments: Segment[]): WindowResult {
  return { index, language: "en", segments, averageLogprob: -0.2, tokens: 9, retries: [], computeMs: 1 };
}

/** `text@start` words of 0.3 s. */
function said(line: string): Segment {
  return segment(
    line.split(" ").map((entry) => {
      const [text = "", at] = entry.split("@");
      return { text, start: Number(at), end: Number(at) + 0.3 };
    }),
  );
}

const textOf = (results: readonly WindowResult[]) =>
  results.flatMap(({ segments }) => segments.map(({ text }) => text)).join(" ");

test("what both windows heard is written once, the half words at their ends not at all", (t) => {
  const left = result(0, said("we@18 will@18.6 send@19.1 the@19.6 invoice@19.9 to@20.4 more@20.8"));
  const right = result(1, said("ending@18.95 the@19.55 invoice@19.95 to@20.35 Moreton@20.75 Street.@21.4"));
  const joined = joinSeams(cutPlan, [left, right]);
  t.is(textOf(joined), "we will send the invoice to Moreton Street.");
  t.like(joined[0]?.segments[0], { start: 18, end: 20.2 });
  t.like(joined[1]?.segments[0], { start: 20.35, end: 21.7 });
});

test("a word that the windows write differently is written once", (t) => {
  const left = result(0, said("about@19.2 hospital@19.9"));
  const right = result(1, said("hospitals@19.85 are@20.4"));
  t.is(textOf(joinSeams(cutPlan, [left, right])), "about hospital are");
});

test("without a common word the text goes over at the cut", (t) => {
  const left = result(0, said("one@19.2 two@19.6"));
  const right = result(1, said("three@20.1 four@20.5"));
  t.is(textOf(joinSeams(cutPlan, [left, right])), "one two three four");
  t.is(textOf(joinSeams(cutPlan, [left, result(1)])), "one two");
  t.is(textOf(joinSeams(cutPlan, [result(0), right])), "three four");
});

test("where one window has left words out, the other's stand", (t) => {
  // Its last word was given all the time to its end.
  const left = result(0, segment([...said("the@18.2").words, { text: "hall.", start: 18.6, end: 21 }]));
  const right = result(1, said("press@19.3 three@19.7 for@20.1 more@20.5"));
  t.is(textOf(joinSeams(cutPlan, [left, right])), "the hall. press three for more");
  const whole = result(0, said("press@19.3 three@19.7 for@20.1 more@20.5"));
  t.is(textOf(joinSeams(cutPlan, [whole, result(1, said("options@21.2"))])), "press three for more options");
});

test("a word that is said twice is written twice", (t) => {
  const left = result(0, said("no@19.4 no@19.8 no@20.2"));
  const right = result(1, said("no@19.45 no@19.85 no@20.25 thanks@20.6"));
  t.is(textOf(joinSeams(cutPlan, [left, right])), "no no no thanks");
});

test("segments keep their language and are joined in its way", (t) => {
  const left = result(0, segment(said("今日@18.5 は@19.9").words, { language: "ja", text: "今日は" }));
  const right = result(1, segment(said("は@19.9 晴@20.3 れ@20.6").words, { language: "ja", text: "は晴れ" }));
  t.is(textOf(joinSeams(cutPlan, [left, right])), "今日は 晴れ");
});

test("windows that were cut in a pause are left as they are", (t) => {
  const plan = planOf([
    { index: 0, spans: [{ start: 0, end: samples(20) }] },
    { index: 1, spans: [{ start: samples(20), end: samples(40) }] },
  ]);
  const results = [result(0, said("yes@19.6")), result(1, said("yes@20.05"))];
  t.deepEqual(joinSeams(plan, results), results);
});

test("wherever the cut falls, whatever the times err, no word is lost and none doubled", (t) => {
  t.notThrows(() =>
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 15, max: 60 }), { minLength: 60, maxLength: 60 }),
        fc.integer({ min: 1_000, max: 2_000 }),
        fc.array(fc.integer({ min: -15, max: 15 }), { minLength: 120, maxLength: 120 }),
        (lengths, cut, errors) => {
          let at = 5;
          const words = lengths.map((length, i): Word => {
            const start = at;
            at += length / 100;
            // The same words come again, though never within what times may err.
            return { text: `w${i % 5}`, start, end: at };
          });
          const seconds = cut / 100;
          const plan = planOf([
            { index: 0, spans: [{ start: 0, end: samples(seconds + 1) }], own: { start: 0, end: samples(seconds) } },
            {
              index: 1,
              spans: [{ start: samples(seconds - 1), end: samples(60) }],
              own: { start: samples(seconds), end: samples(60) },
            },
          ]);
          const shifted = (some: Word[], from: number) =>
            some.map((word, i) => {
              const by = (errors[(from + i) % errors.length] as number) / 100;
              return { ...word, start: word.start + by, end: word.end + by };
            });
          // A window hears what is whole inside it, and makes something of the halves at its ends.
          const inLeft = words.filter(({ end }) => end <= seconds + 1);
          const inRight = words.filter(({ start }) => start >= seconds - 1);
          const half = { text: "ow", start: seconds - 1, end: seconds - 0.95 };
          const left = result(0, segment(shifted(inLeft, 0)));
          const right = result(1, segment([half, ...shifted(inRight, 60)]));
          return textOf(joinSeams(plan, [left, right])) === words.map(({ text }) => text).join(" ");
        },
      ),
      { seed: 3, numRuns: 500 },
    ),
  );
});
