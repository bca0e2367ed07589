import test from "ava";
import { diarise } from "../../speech/diarization/diarise.ts";
import { between, type Cluster, within } from "../../speech/diarization/linkage.ts";
import { principalDirections } from "../../speech/diarization/principal.ts";
import { type Group, group, halves, separation } from "../../speech/diarization/separation.ts";
import { localClusters } from "../../speech/diarization/speakers.ts";
import type { Voiceprints } from "../../speech/diarization/voiceprints.ts";
import { type Row, WindowSample } from "../../speech/diarization/window-sample.ts";
import { conversation, randomFrom, speaking, WIDTH } from "./voices.ts";

/** What all windows of a recording have in common, as two like voices over one telephone do; `share` of each vector. */
function alike(prints: Voiceprints, share: number): Voiceprints {
  const random = randomFrom(77);
  const common = Float32Array.from({ length: WIDTH }, () => random() - 0.5);
  const length = Math.hypot(...common);
  const vectors = new Float32Array(prints.vectors.length);
  for (let at = 0; at < vectors.length; at += WIDTH) {
    const row = prints.vectors.subarray(at, at + WIDTH);
    const mixed = row.map((value, i) => (1 - share) * value + (share * (common[i] as number)) / length);
    const size = Math.hypot(...mixed);
    vectors.set(
      mixed.map((value) => value / size),
      at,
    );
  }
  return { ...prints, vectors };
}

function rowsOf(prints: Voiceprints): readonly Row[] {
  const sample = new WindowSample();
  sample.add(prints);
  return sample.rows;
}

const speakersOf = async (prints: Voiceprints) =>
  (
    await diarise(async function* () {
      yield prints;
    })
  ).speakers;

const best = (cuts: [Group, Group][]) => Math.max(...cuts.map(([a, b]) => separation(a, b)));

test("two voices whose cosines are nearly those of one are two, and one voice of the same likeness is one", async (t) => {
  for (const seed of [1, 2, 3]) {
    const two = alike(speaking(conversation([1, 2], 120, seed), { spread: 0.5, seed }), 0.66);
    const [a, b] = localClusters(two, 2) as [Cluster, Cluster];
    const ratio = between(a, b) / Math.min(within(a) as number, within(b) as number);
    t.true(ratio > 0.75, `a fixed share of one voice's likeness would have to be ${ratio}`);
    t.is(await speakersOf(two), 2, `seed ${seed}`);
    const one = alike(speaking(conversation([1], 120, seed), { spread: 0.5, seed }), 0.66);
    t.is(await speakersOf(one), 1, `seed ${seed}`);
  }
});

test("one voice is not two for how long or how short it is heard", async (t) => {
  for (const seconds of [12, 30, 60, 600, 4_000]) {
    for (const seed of [5, 6]) {
      t.is(await speakersOf(speaking(conversation([seed], seconds, seed), { seed })), 1, `${seconds} s, seed ${seed}`);
    }
  }
});

test("one heap cut in two comes to about three deviations, two heaps to more, whatever else is in the windows", (t) => {
  for (const spread of [0.3, 0.7, 1.1]) {
    const one = best(halves(rowsOf(speaking(conversation([3], 200), { spread }))));
    const two = best(halves(rowsOf(speaking(conversation([3, 4], 200), { spread }))));
    t.true(one > 1.5 && one < 4.2, `one voice, spread ${spread}: ${one}`);
    t.true(two > 6, `two voices, spread ${spread}: ${two}`);
  }
});

test("neighbours that stay together speak for two voices; the same windows in any order do not", (t) => {
  const rows = rowsOf(speaking(conversation([1, 2], 200), { spread: 1.1 }));
  const packed = rows.map((row, i) => ({ ...row, start: i * 32_000, end: (i + 1) * 32_000 }));
  const random = randomFrom(3);
  const shuffled = packed
    .map((row) => ({ row, key: random() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ row }, i) => ({ ...row, start: i * 32_000, end: (i + 1) * 32_000 }));
  const voices = group(
    packed,
    [packed[0]?.vector, packed[3]?.vector].map((v) => Float64Array.from(v as Float32Array)),
  );
  const again = group(
    shuffled,
    voices.map(({ sum }) => sum),
  );
  const [there, gone] = [separation(...(voices as [Group, Group])), separation(...(again as [Group, Group]))];
  t.true(there > gone + 0.3, `${there} in order, ${gone} shuffled`);
});

test("groups of less than three windows are not apart; equal windows have no direction", (t) => {
  const rows = rowsOf(speaking([{ voice: 1, seconds: 4 }]));
  const [a, b] = group(rows, [Float64Array.from(rows[0]?.vector as Float32Array), new Float64Array(WIDTH)]);
  t.is(separation(a as Group, b as Group), 0);
  const same = Float32Array.from({ length: WIDTH }, () => 0.125);
  t.deepEqual(principalDirections([same, same, same], 3), []);
  t.deepEqual(principalDirections([], 3), []);
});

test("the principal directions are those of most difference, across each other, the same every time", (t) => {
  const random = randomFrom(9);
  const cloud = Array.from({ length: 400 }, () =>
    Float32Array.from([3 * (random() - 0.5), random() - 0.5, 9 * (random() - 0.5)]),
  );
  const [first, second] = principalDirections(cloud, 2) as [Float64Array, Float64Array];
  t.true(Math.abs(first[2] as number) > 0.99);
  t.true(Math.abs(second[0] as number) > 0.95);
  t.true(Math.abs(first.reduce((sum, value, i) => sum + value * (second[i] as number), 0)) < 1e-6);
  t.deepEqual(principalDirections(cloud, 2), [first, second]);
});

test("a sample of many hours has windows from its whole length, in runs of neighbours, and no more than its most", (t) => {
  const sample = new WindowSample();
  for (let chunk = 0; chunk < 60; chunk++) {
    sample.add(speaking(conversation([1, 2], 500, chunk), { from: chunk * 700 * 16_000 }));
  }
  const { rows } = sample;
  t.true(rows.length >= 900 && rows.length < 2_000, `${rows.length}`);
  t.true((rows[0]?.start ?? 1) < 16_000 && (rows.at(-1)?.end ?? 0) > 55 * 700 * 16_000);
  const neighbours = rows.filter((row, i) => rows[i + 1] && (rows[i + 1] as Row).start - row.end < 16_000).length;
  t.true(neighbours > 0.9 * rows.length, `${neighbours} of ${rows.length}`);
});
