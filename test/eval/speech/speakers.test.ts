import { join } from "node:path";
import { fileURLToPath } from "node:url";
import test from "ava";
import fc from "fast-check";
import { pythonPrograms } from "../../../eval/python-programs.ts";
import { assign } from "../../../eval/speech/measure/assignment.ts";
import { diarizationErrorRate, diarizationErrors, type SpeakerTurn } from "../../../eval/speech/measure/diarization.ts";
import { rightCounts, speakerCount, splits } from "../../../eval/speech/measure/speaker-counts.ts";
import { Conversation } from "../../support/conversation.ts";

const turns = (...list: [string, number, number][]): SpeakerTurn[] =>
  list.map(([speaker, start, end]) => ({ speaker, start, end }));

test("the assignment with the greatest gain", (t) => {
  t.deepEqual(
    assign([
      [1, 2],
      [2, 4],
    ]),
    [0, 1],
  );
  t.deepEqual(
    assign([
      [5, 9],
      [8, 9],
    ]),
    [1, 0],
  );
  t.deepEqual(assign([[1], [3], [2]]), [null, 0, null]);
  t.deepEqual(assign([[1, 7, 3]]), [1]);
  t.deepEqual(assign([]), []);
});

test("no assignment gains more than the one found", (t) => {
  const matrix = fc
    .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }))
    .chain(([rows, columns]) =>
      fc.array(fc.array(fc.nat(9), { minLength: columns, maxLength: columns }), { minLength: rows, maxLength: rows }),
    );
  const best = (gains: number[][], row: number, used: Set<number>): number => {
    if (row === gains.length) return 0;
    let most = best(gains, row + 1, used);
    for (const [column, gain] of (gains[row] as number[]).entries()) {
      if (used.has(column)) continue;
      most = Math.max(most, gain + best(gains, row + 1, new Set([...used, column])));
    }
    return most;
  };
  fc.assert(
    fc.property(matrix, (gains) => {
      const chosen = assign(gains);
      const taken = chosen.filter((column) => column !== null);
      t.is(new Set(taken).size, taken.length);
      t.is(
        chosen.reduce<number>((sum, column, row) => sum + (column === null ? 0 : (gains[row]?.[column] ?? 0)), 0),
        best(gains, 0, new Set()),
      );
    }),
  );
});

const two = turns(["a", 0, 10], ["b", 10, 20]);
const cases: [string, SpeakerTurn[], SpeakerTurn[], number, [number, number, number, number]][] = [
  ["names do not matter", two, turns(["x", 0, 10], ["y", 10, 20]), 0, [20, 0, 0, 0]],
  ["one speaker for both", two, turns(["x", 0, 20]), 0, [20, 0, 0, 10]],
  ["a border two seconds late", two, turns(["x", 0, 12], ["y", 12, 20]), 0, [20, 0, 0, 2]],
  ["a border 0.2 s late is inside the collar", two, turns(["x", 0, 10.2], ["y", 10.2, 20]), 0.25, [19, 0, 0, 0]],
  ["nothing", two, [], 0, [20, 20, 0, 0]],
  ["speech in silence", turns(["a", 0, 5]), turns(["x", 0, 8]), 0, [5, 0, 3, 0]],
  [
    "overlap answered with one voice",
    turns(["a", 0, 10], ["b", 5, 15]),
    turns(["x", 0, 8], ["y", 8, 15]),
    0,
    [20, 5, 0, 0],
  ],
  ["a voice split in two", turns(["a", 0, 10]), turns(["x", 0, 6], ["y", 6, 10]), 0, [10, 0, 0, 4]],
  ["no reference", [], turns(["x", 0, 4]), 0, [0, 0, 4, 0]],
];
for (const [name, reference, answer, collar, expected] of cases) {
  test(`diarization errors: ${name}`, (t) => {
    const { total, missed, falseAlarm, confusion } = diarizationErrors(reference, answer, { collar });
    for (const [i, seconds] of [total, missed, falseAlarm, confusion].entries()) {
      t.true(Math.abs(seconds - (expected[i] as number)) < 1e-9, `${seconds} instead of ${expected[i]} (${i})`);
    }
  });
}

test("pyannote.metrics finds the same errors in the same turns", async (t) => {
  const programs = await pythonPrograms(new URL("python/pyannote-metrics.txt", import.meta.url));
  const script = fileURLToPath(new URL("python/pyannote_errors.py", import.meta.url));
  type Question = { reference: SpeakerTurn[]; answer: SpeakerTurn[]; collar: number };
  const pyannote = await Conversation.start<Question, Record<string, number>>(
    "pyannote.metrics",
    join(programs, "python"),
    [script],
  );
  t.teardown(() => pyannote.stop());
  // Multiples of a quarter second; a speaker's own turns follow each other, as pyannote's labels need it.
  const speech = (names: string[]) =>
    fc
      .tuple(...names.map(() => fc.array(fc.tuple(fc.integer({ min: 1, max: 20 }), fc.nat(12)), { maxLength: 5 })))
      .map((speakers) =>
        speakers.flatMap((lengths, speaker) => {
          let at = 0;
          return lengths.map(([length, pause]): SpeakerTurn => {
            const start = at + (pause + 1) / 4;
            at = start + length / 4;
            return { speaker: names[speaker] as string, start, end: at };
          });
        }),
      );
  await fc.assert(
    fc.asyncProperty(
      speech(["a", "b", "c"]),
      speech(["x", "y"]),
      fc.constantFrom(0, 0.25),
      async (reference, answer, collar) => {
        const theirs = await pyannote.ask({ reference, answer, collar });
        const ours = diarizationErrors(reference, answer, { collar });
        for (const name of ["total", "missed", "falseAlarm", "confusion"] as const) {
          t.true(
            Math.abs(ours[name] - (theirs[name] as number)) < 1e-6,
            `${name}: ${ours[name]}, pyannote ${theirs[name]}`,
          );
        }
      },
    ),
    { numRuns: 200, seed: 5 },
  );
});

test("the rate is errors over speaker time, in percent", (t) => {
  t.is(diarizationErrorRate({ total: 20, missed: 1, falseAlarm: 2, confusion: 1 }), 20);
});

test("counts of speakers, and voices that were split", (t) => {
  const counts = [
    speakerCount(two, turns(["x", 0, 9], ["y", 9, 20])),
    speakerCount(turns(["a", 0, 10]), turns(["x", 0, 5], ["y", 5, 10])),
    // A second voice of less than a second is nobody.
    speakerCount(turns(["a", 0, 10]), turns(["x", 0, 9.5], ["y", 9.5, 10])),
    speakerCount(two, null),
  ];
  t.deepEqual(rightCounts(counts), { hits: 2, n: 4 });
  t.deepEqual(splits(counts), { hits: 1, n: 2 });
});
