import test from "ava";
import {
  DamagedVoiceprints,
  decodeVoiceprints,
  encodeVoiceprints,
  joinVoiceprints,
} from "../../speech/diarization/voiceprints.ts";
import { voiceWindows } from "../../speech/diarization/windows.ts";
import { conversation, speaking } from "./voices.ts";

test("voiceprints come back from their stored form, vectors in 16 bits", (t) => {
  const prints = speaking(conversation([1, 2], 30));
  const stored = encodeVoiceprints(prints);
  t.is(stored.length, 12 + prints.windows.length * 8 + prints.vectors.length * 2);
  const back = decodeVoiceprints(Buffer.concat([Buffer.from([0]), stored]).subarray(1));
  t.deepEqual(back.windows, prints.windows);
  t.true(back.vectors.every((value, i) => Math.abs(value - (prints.vectors[i] as number)) < 5e-4));
  t.deepEqual(encodeVoiceprints(back), stored);
});

test("a recording of ten hours fits the stored positions; none at all is stored too", (t) => {
  const late = { start: 575_990_000, end: 576_000_000 };
  const prints = { windows: [late], vectors: Float32Array.of(1, 0), width: 2 };
  t.deepEqual(decodeVoiceprints(encodeVoiceprints(prints)).windows, [late]);
  const none = { windows: [], vectors: new Float32Array(0), width: 0 };
  t.deepEqual(decodeVoiceprints(encodeVoiceprints(none)), none);
});

test("what is no voiceprint, cut short, or of another encoder is refused", (t) => {
  const stored = encodeVoiceprints(speaking([{ voice: 1, seconds: 4 }]));
  for (const bytes of [Buffer.alloc(3), Buffer.alloc(40), stored.subarray(0, -1)])
    t.throws(() => decodeVoiceprints(bytes), { instanceOf: DamagedVoiceprints });
  const one = { windows: [{ start: 0, end: 1 }], vectors: Float32Array.of(1), width: 1 };
  const two = { windows: [{ start: 1, end: 2 }], vectors: Float32Array.of(1, 0), width: 2 };
  t.throws(() => joinVoiceprints([one, two]), { instanceOf: DamagedVoiceprints });
  t.deepEqual(joinVoiceprints([]), { windows: [], vectors: new Float32Array(0), width: 0 });
});

/** A tone where somebody speaks, faint noise elsewhere; places in seconds. */
function sounding(seconds: number, ...places: [number, number][]): Float32Array {
  return Float32Array.from({ length: seconds * 16_000 }, (_, i) => {
    const voiced = places.some(([from, to]) => i >= from * 16_000 && i < to * 16_000);
    return (voiced ? 0.3 : 0.0005) * Math.cos(i * 0.2);
  });
}

const seconds = (windows: { start: number; end: number }[]) =>
  windows.map(({ start, end }) => [Math.round(start / 160) / 100, Math.round(end / 160) / 100]);

test("voices are looked at phrase by phrase, long phrases in equal parts of two seconds at most", (t) => {
  const audio = sounding(10, [0.5, 1.5], [1.8, 6.8], [8, 9.2]);
  t.deepEqual(seconds(voiceWindows([{ start: 0, end: 160_000 }], audio)), [
    [0.5, 1.5],
    [1.8, 3.47],
    [3.47, 5.13],
    [5.13, 6.8],
    [8, 9.2],
  ]);
});

test("a short word is heard with the silence around it, inside its span; a click is none", (t) => {
  const audio = sounding(4, [0.1, 0.4], [2, 2.03], [3, 3.9]);
  const spans = [{ start: 1_600_000, end: 1_600_000 + 64_000 }];
  const windows = voiceWindows(spans, audio);
  t.deepEqual(seconds(windows), [
    [100, 100.5],
    [103, 103.9],
  ]);
  t.deepEqual(
    windows.map(({ heard }) => heard),
    [
      { start: 0, end: 8_000 },
      { start: 48_000, end: 62_400 },
    ],
  );
});

test("no window reaches from one span into the next", (t) => {
  const audio = sounding(3, [0, 3]).fill(0.2);
  const spans = [
    { start: 0, end: 16_000 },
    { start: 80_000, end: 112_000 },
  ];
  t.deepEqual(seconds(voiceWindows(spans, audio)), [
    [0, 1],
    [5, 7],
  ]);
});

test("of a long window its middle is heard", (t) => {
  const [window] = voiceWindows([{ start: 8_000, end: 40_000 }], sounding(2, [0, 2]).fill(0.2));
  t.deepEqual(window, { start: 8_000, end: 40_000, heard: { start: 6_400, end: 25_600 } });
});
