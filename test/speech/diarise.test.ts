import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import test from "ava";
import { diarise } from "../../speech/diarization/diarise.ts";
import { agglomerate, between, type Cluster, within } from "../../speech/diarization/linkage.ts";
import { localClusters, MOST_LOCAL } from "../../speech/diarization/speakers.ts";
import { joinVoiceprints, type Voiceprints } from "../../speech/diarization/voiceprints.ts";
import type { SpeakerTurns } from "../../speech/types.ts";
import { conversation, type Said, speaking, WIDTH } from "./voices.ts";

const diariseOne = (prints: Voiceprints) =>
  diarise(async function* () {
    yield prints;
  });

/** The voice of each window, by the turn it lies in. */
const heard = ({ windows }: Voiceprints, { turns }: SpeakerTurns) =>
  windows.map(
    ({ start, end }) => turns.find((turn) => turn.start <= (start + end) / 2 && turn.end > (start + end) / 2)?.speaker,
  );

/** The voices that said each window, named in the order of first speech. */
function said(turns: readonly Said[]): string[] {
  const names = new Map<number, string>();
  return turns.flatMap(({ voice, seconds }) => {
    const name = names.get(voice) ?? String(names.size);
    names.set(voice, name);
    return Array<string>(Math.ceil(seconds / 2)).fill(name);
  });
}

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

test("two voices are two speakers, numbered as they first speak, in turns that follow each other", async (t) => {
  const turns = conversation([5, 2], 120);
  const prints = speaking(turns);
  const found = await diariseOne(prints);
  t.is(found.speakers, 2);
  t.deepEqual(found.warnings, []);
  t.is(found.turns[0]?.speaker, "0");
  t.deepEqual(heard(prints, found), said(turns));
  t.deepEqual(await diariseOne(prints), found);
  let earliest = 0;
  for (const { start, end } of found.turns) {
    t.true(start >= earliest && end > start);
    earliest = end;
  }
});

test("three voices are three, whatever their line does to their likeness", async (t) => {
  const turns = conversation([1, 2, 3], 200);
  for (const spread of [0.3, 0.7, 1.1]) {
    const prints = speaking(turns, { spread });
    const found = await diariseOne(prints);
    t.is(found.speakers, 3, `${spread}`);
    const right = said(turns).filter((speaker, i) => heard(prints, found)[i] === speaker).length;
    t.true(right / prints.windows.length > 0.98, `${spread}: ${right} of ${prints.windows.length}`);
  }
});

test("one voice is one speaker, and is said to be", async (t) => {
  for (const spread of [0.2, 0.7, 1.1]) {
    const found = await diariseOne(speaking(conversation([4], 150), { spread }));
    t.is(found.speakers, 1);
    t.deepEqual(found.warnings, ["diarization_single_speaker"]);
    t.true(found.turns.every(({ speaker }) => speaker === "0"));
  }
});

test("whoever says less than 8 s or 5 % is nobody; a tenth is somebody, with a warning below it", async (t) => {
  const call = (others: Said[]) => [...conversation([1], 100), ...others, ...conversation([1], 90, 9)];
  const short = await diariseOne(speaking(call([{ voice: 2, seconds: 6 }])));
  t.deepEqual([short.speakers, short.warnings], [1, ["diarization_single_speaker"]]);
  const little = await diariseOne(speaking(call([{ voice: 2, seconds: 14 }])));
  t.deepEqual([little.speakers, little.warnings], [2, ["diarization_low_minority_share"]]);
  const enough = await diariseOne(speaking(call([{ voice: 2, seconds: 30 }])));
  t.deepEqual([enough.speakers, enough.warnings], [2, []]);
  const share = await diariseOne(speaking([...conversation([1], 400), { voice: 2, seconds: 12 }]));
  t.is(share.speakers, 1, "12 s are under 5 % of 412");
});

test("in a recording of half a minute a fifth of the speech is somebody", async (t) => {
  const turns = [
    { voice: 1, seconds: 8 },
    { voice: 2, seconds: 4 },
    { voice: 1, seconds: 6 },
  ];
  const found = await diariseOne(speaking(turns));
  t.is(found.speakers, 2);
  t.deepEqual(
    found.turns.map(({ speaker }) => speaker),
    ["0", "1", "0"],
  );
});

test("a window that sounds like the other for a moment does not change the speaker", async (t) => {
  const prints = speaking([...conversation([1, 2], 60), { voice: 1, seconds: 20 }]);
  const middle = prints.windows.length - 5;
  const blurred = prints.vectors.subarray(middle * WIDTH, (middle + 1) * WIDTH);
  const other = prints.vectors.subarray(2 * WIDTH, 3 * WIDTH);
  const window = prints.windows[middle] as { start: number; end: number };
  window.end = window.start + 4_000;
  for (let i = 0; i < WIDTH; i++) blurred[i] = ((blurred[i] as number) + 1.2 * (other[i] as number)) / 2;
  const found = await diariseOne(prints);
  t.is(found.turns.filter(({ start, end }) => start < window.end && end > window.start).length, 1);
});

test("silence between windows of one speaker ends a turn; windows that overlap share what they have in common", async (t) => {
  const prints = speaking(conversation([1, 2], 60));
  const last = prints.windows.length - 1;
  for (const window of prints.windows.slice(last)) window.start -= 6_000;
  const found = await diariseOne(prints);
  for (const [i, turn] of found.turns.entries()) {
    const next = found.turns[i + 1];
    if (next) t.true(next.start >= turn.end && (next.speaker !== turn.speaker || next.start - turn.end >= 8_000));
  }
});

test("nothing heard is nobody, with the warning that says so", async (t) => {
  t.deepEqual(await diariseOne({ windows: [], vectors: new Float32Array(0), width: 0 }), {
    version: 1,
    speakers: 0,
    turns: [],
    warnings: ["diarization_unavailable"],
  });
});

test("average linkage joins what is most alike on average, by sums alone", (t) => {
  const single = (...sum: number[]): Cluster => ({ sum: Float64Array.from(sum), count: 1, samples: 1 });
  const angle = (degrees: number) => single(Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180));
  const clusters = [angle(0), angle(100), angle(10), angle(90), angle(50)];
  const steps: number[] = [];
  const [one] = agglomerate(clusters, (_, similarity) => {
    steps.push(Math.round((Math.acos(similarity) * 180) / Math.PI));
    return false;
  });
  t.is(one?.count, 5);
  t.deepEqual(steps.slice(0, 2), [10, 10]);
  const two = agglomerate(clusters, (left) => left <= 2);
  t.deepEqual(two.map(({ count }) => count).sort(), [2, 3]);
  const pair = agglomerate([angle(0), angle(60)], () => false)[0] as Cluster;
  t.true(Math.abs((within(pair) as number) - 0.5) < 1e-6);
  t.true(Math.abs(between(angle(0), angle(60)) - 0.5) < 1e-6);
  t.is(within(angle(3)), undefined);
});

test("ten hours: 90,000 windows of three voices in bounded memory", async (t) => {
  t.timeout(120_000);
  const chunks = 360;
  let held = 0;
  let most = 0;
  const read = async function* () {
    for (let chunk = 0; chunk < chunks; chunk++) {
      const turns = conversation(chunk % 3 === 0 ? [1, 2, 3] : [1, 2], 500, chunk);
      const prints = speaking(turns, { seed: chunk, from: chunk * 700 * 16_000 });
      held = prints.vectors.byteLength;
      if (chunk % 25 === 24) {
        collect();
        most = Math.max(most, process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers);
      }
      yield prints;
    }
  };
  collect();
  const before = process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
  const found = await diarise(read);
  t.is(found.speakers, 3);
  let windows = 0;
  for await (const prints of read()) windows += prints.windows.length;
  t.true(windows > 85_000, `${windows} windows`);
  // What grows is a window's place and its path, about 100 bytes; its vector would be 256 more here, 768 for CAM++.
  t.true(most - before < windows * 240, `held ${most - before} bytes for ${windows} windows, a chunk is ${held}`);
});

test("a chunk becomes eight clusters at most, however many windows it has", (t) => {
  const prints = speaking(conversation([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 300));
  t.is(localClusters(prints, MOST_LOCAL).length, 8);
  t.is(localClusters(prints, 3).length, 3);
  t.is(localClusters(speaking([{ voice: 1, seconds: 3 }]), 8).length, 2);
  const long = joinVoiceprints([prints, speaking(conversation([1, 2], 2_000), { from: 10_000_000 })]);
  t.true(long.windows.length > 750);
  const clusters = localClusters(long, 8);
  t.is(clusters.length, 8);
  t.is(
    clusters.reduce((sum, { count }) => sum + count, 0),
    long.windows.length,
  );
});
