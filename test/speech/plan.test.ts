import test from "ava";
import fc from "fast-check";
import { cutPacked } from "../../speech/alignment/packed-time.ts";
import { joined } from "../../speech/language/stretches.ts";
import { BEYOND, CHUNK_SAMPLES, planRecording, WINDOW_SAMPLES } from "../../speech/plan.ts";
import { ownSpans, spokenSamples } from "../../speech/spans.ts";
import type { Plan, Span, Window } from "../../speech/types.ts";
import { speechSpans } from "../../speech/voice-activity/spans.ts";

const FRAME = 512;
const SECOND = 16_000;

/** Stretches of speech and silence, in frames, from clicks to monologues of minutes. */
const stretches = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ spoken: fc.integer({ min: 1, max: 300 }), silent: fc.integer({ min: 1, max: 80 }) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ spoken: fc.integer({ min: 1, max: 20 }), silent: fc.integer({ min: 500, max: 12_000 }) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ spoken: fc.integer({ min: 900, max: 4_000 }), silent: fc.integer({ min: 1, max: 40 }) }),
    },
  ),
  { maxLength: 60 },
);

const recordings = fc
  .record({ stretches, tail: fc.integer({ min: 0, max: FRAME - 1 }), seed: fc.integer() })
  .map(({ stretches, tail, seed }) => {
    const probabilities: number[] = [];
    let state = seed >>> 0;
    const jitter = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32;
    };
    for (const { spoken, silent } of stretches) {
      for (let i = 0; i < silent; i++) probabilities.push(jitter() * 0.3);
      for (let i = 0; i < spoken; i++) probabilities.push(0.5 + jitter() * 0.5);
    }
    const samples = Math.max(0, probabilities.length * FRAME - tail);
    return { samples, probabilities: Float32Array.from(probabilities) };
  });

function plan({ samples, probabilities }: { samples: number; probabilities: Float32Array }): {
  plan: Plan;
  speech: Span[];
} {
  const speech = speechSpans(probabilities, samples);
  const shape = { samples, durationMs: Math.round(samples / 16), channels: 1, channelsDiffer: false };
  return { plan: planRecording({ ...shape, speech, probabilities, warnings: [] }), speech };
}

function packedLength(window: Window): number {
  return spokenSamples(window.spans);
}

function windowsOf(plan: Plan): Window[] {
  return plan.chunks.flatMap((chunk) => chunk.windows);
}

function property(
  name: string,
  holds: (made: ReturnType<typeof plan>, recording: Parameters<typeof plan>[0]) => boolean,
) {
  test(name, (t) => {
    t.notThrows(() =>
      fc.assert(
        fc.property(recordings, (recording) => holds(plan(recording), recording)),
        { seed: 7, numRuns: 300 },
      ),
    );
  });
}

property("spans of a window ascend, never overlap, and stay inside the recording", ({ plan }, { samples }) =>
  windowsOf(plan).every(({ spans }) =>
    spans.every((span, i) => span.start < span.end && span.start >= (spans[i - 1]?.end ?? 0) && span.end <= samples),
  ),
);

property("windows' own spans ascend and never overlap", ({ plan }) => {
  const spans = windowsOf(plan).flatMap(ownSpans);
  return spans.every((span, i) => span.start < span.end && span.start >= (spans[i - 1]?.end ?? 0));
});

property(
  "windows overlap by two seconds where speech was cut without a pause, and nowhere else",
  ({ plan, speech }) => {
    const windows = windowsOf(plan);
    return windows.slice(1).every((right, i) => {
      const left = windows[i] as Window;
      const [end, start] = [left.spans.at(-1)?.end ?? 0, right.spans[0]?.start ?? 0];
      const at = right.own?.start ?? start;
      const through = speech.some((span) => span.start < at && at < span.end && left.own?.end === at);
      // Where the recording's speech ends sooner there is less to hear beyond.
      return through ? start === at - BEYOND && (end === at + BEYOND || end < at + BEYOND) : start >= end;
    });
  },
);

property("every sample of speech is in exactly one window's own spans", ({ plan, speech }) => {
  const spans = windowsOf(plan).flatMap(ownSpans);
  const covered = ({ start, end }: Span) =>
    spans.reduce((sum, span) => sum + Math.max(0, Math.min(end, span.end) - Math.max(start, span.start)), 0);
  return speech.every((span) => covered(span) === span.end - span.start);
});

property("a window holds at most 30 s", ({ plan }) =>
  windowsOf(plan).every((window) => packedLength(window) <= WINDOW_SAMPLES),
);

property("windows and chunks count up, and every window is inside its chunk", ({ plan }) => {
  const inside = plan.chunks.every(
    (chunk, i) =>
      chunk.index === i &&
      chunk.windows.length > 0 &&
      chunk.windows[0]?.spans[0]?.start === chunk.start &&
      chunk.windows.at(-1)?.spans.at(-1)?.end === chunk.end &&
      chunk.start >= (plan.chunks[i - 1]?.end ?? 0) - 2 * BEYOND,
  );
  return inside && windowsOf(plan).every((window, i) => window.index === i);
});

property("a chunk is at most 8 windows and 300 s of recording", ({ plan }) =>
  plan.chunks.every((chunk) => chunk.windows.length <= 8 && chunk.end - chunk.start <= CHUNK_SAMPLES),
);

property("windows are cut in silence wherever speech has a pause within 30 s", ({ plan, speech }) => {
  const windows = windowsOf(plan);
  const borders = windows.map(ownSpans).flatMap((spans) => [spans[0]?.start ?? 0, spans.at(-1)?.end ?? 0]);
  return borders.every((border) => {
    const cut = speech.find((span) => span.start < border && border < span.end);
    // Speech is cut only when it and its padding do not fit a window.
    return !cut || cut.end - cut.start + 2 * 0.3 * SECOND > WINDOW_SAMPLES;
  });
});

property(
  "the plan is the same every time",
  ({ plan: made }, recording) => JSON.stringify(made) === JSON.stringify(plan(recording).plan),
);

property("packed time maps onto the recording without a gap or a repeat", ({ plan }) =>
  windowsOf(plan).every((window) => {
    const length = packedLength(window);
    const cuts = [0, 1, Math.floor(length / 3), Math.floor(length / 2), length - 1, length].sort((a, b) => a - b);
    const parts = cuts.slice(1).map((end, i) => cutPacked(window.spans, cuts[i] ?? 0, end));
    const whole = JSON.stringify(joined(parts.flat())) === JSON.stringify(joined(window.spans));
    return whole && parts.every((part, i) => spokenSamples(part) === (cuts[i + 1] ?? 0) - (cuts[i] ?? 0));
  }),
);

test("speech without a pause is cut where speech is least probable", (t) => {
  const probabilities = new Float32Array(2_000).fill(0.9);
  probabilities[700] = 0.4; // 22.4 s: inside, and too short to be a pause
  probabilities[300] = 0.36; // 9.6 s: too early for a window worth its price
  const { plan: made } = plan({ samples: 2_000 * FRAME, probabilities });
  const cut = 700 * FRAME + FRAME / 2;
  const [first, second] = windowsOf(made);
  t.deepEqual(first, { index: 0, spans: [{ start: 0, end: cut + BEYOND }], own: { start: 0, end: cut } });
  t.is(second?.spans[0]?.start, cut - BEYOND);
  t.is(second?.own?.start, cut);
});

test("phrases stay apart in a window, however short the pause between them", (t) => {
  const probabilities = new Float32Array(300).fill(0.9);
  probabilities.fill(0.1, 100, 110); // 0.3 s: no room for the padding of both
  const { plan: made } = plan({ samples: 300 * FRAME, probabilities });
  t.deepEqual(windowsOf(made)[0]?.spans, [
    { start: 0, end: 105 * FRAME },
    { start: 105 * FRAME, end: 300 * FRAME },
  ]);
});

test("short speech is packed together, and a long silence keeps it apart", (t) => {
  const probabilities = new Float32Array((700 * SECOND) / FRAME);
  for (const second of [10, 100, 200, 650])
    probabilities.fill(0.9, (second * SECOND) / FRAME, ((second + 2) * SECOND) / FRAME);
  const { plan: made } = plan({ samples: 700 * SECOND, probabilities });
  t.deepEqual(
    made.chunks.map((chunk) => chunk.windows.map((window) => window.spans.length)),
    [[3], [1]],
  );
  t.is(made.speechMs, Math.round(windowsOf(made).reduce((sum, window) => sum + packedLength(window), 0) / 16));
});

test("a short last chunk takes windows from the one before", (t) => {
  const probabilities = new Float32Array((220 * SECOND) / FRAME).fill(0.9);
  const { plan: made } = plan({ samples: 220 * SECOND, probabilities });
  t.is(made.chunks.length, 1);
  const longer = new Float32Array((250 * SECOND) / FRAME).fill(0.9);
  const { plan: two } = plan({ samples: 250 * SECOND, probabilities: longer });
  t.is(two.chunks.length, 2);
  t.true(two.chunks.every((chunk) => chunk.end - chunk.start >= 30 * SECOND));
});

test("silence has no chunks; stereo is told apart from two equal channels", (t) => {
  const base = { samples: 16_000, durationMs: 1_000, speech: [], probabilities: new Float32Array(32) };
  const silent = planRecording({ ...base, channels: 2, channelsDiffer: false, warnings: ["vad_failed: x"] });
  t.like(silent, { chunks: [], speechMs: 0, stereo: false, warnings: ["vad_failed: x"] });
  const sides = planRecording({ ...base, channels: 2, channelsDiffer: true, warnings: [] });
  t.like(sides, { stereo: true, warnings: ["stereo_source_available"] });
});

test("ten hours of talk make a plan of bounded size", (t) => {
  const frames = Math.ceil((36_000 * SECOND) / FRAME);
  const probabilities = new Float32Array(frames).map((_, i) => (i % 100 < 80 ? 0.9 : 0.1));
  const { plan: made } = plan({ samples: 36_000 * SECOND, probabilities });
  t.true(made.chunks.length >= 120 && made.chunks.length <= 300, `${made.chunks.length} chunks`);
  t.true(JSON.stringify(made).length < 4_000_000);
});
