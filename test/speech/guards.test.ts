import test from "ava";
import { Attention } from "../../speech/whisper/attention.ts";
import type { Decoded } from "../../speech/whisper/greedy.ts";
import { compressionRatio, loopLength, repetition, trippedGuards } from "../../speech/whisper/guards.ts";

const decoded = (tokens: number[], change: Partial<Decoded> = {}): Decoded => ({
  tokens,
  each: tokens.map(() => -0.2),
  logprob: -0.2 * (tokens.length + 1),
  chosen: tokens.length + 1,
  stop: "end",
  attention: new Attention(1, 1),
  generated: tokens.length + 1,
  ...change,
});
const steady = { starts: Int32Array.of(0, 20, 40, 60), frames: 80 };
const speech = "And the old one ends one day before the new contract starts in the first week of October.";
const many = Array.from({ length: 20 }, (_, index) => index);

test("a text that looks right trips no guard", (t) => {
  t.deepEqual(trippedGuards(decoded(many), speech, steady), []);
});

test("each sign of a text gone astray is named", (t) => {
  t.deepEqual(trippedGuards(decoded(many), "you you ".repeat(40), steady), ["compression"]);
  t.deepEqual(trippedGuards(decoded(many, { logprob: -1.01 * 21 }), speech, steady), ["logprob"]);
  t.deepEqual(trippedGuards(decoded(many, { stop: "loop" }), speech, steady), ["repetition"]);
  t.deepEqual(trippedGuards(decoded(Array(24).fill(5)), speech, steady), ["repetition"]);
  t.deepEqual(trippedGuards(decoded(many, { stop: "limit" }), speech, steady), ["limit"]);
  t.deepEqual(trippedGuards(decoded(many), speech, steady, 15), ["rate"]);
  t.deepEqual(trippedGuards(decoded(many), speech, steady, 14), []);
  const leftOut = { starts: Int32Array.of(0, 20, 40, 300), frames: 320 };
  t.deepEqual(trippedGuards(decoded(many), speech, leftOut), ["gap"]);
  t.deepEqual(trippedGuards(decoded(many), speech, { starts: Int32Array.of(0, 20), frames: 300 }), ["gap"]);
});

test("a loop counts from the fourth time on, wherever it stands", (t) => {
  t.is(loopLength([1, 2, 3, 1, 2, 3, 1, 2, 3]), 0);
  t.is(loopLength([9, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3]), 12);
  t.is(loopLength([1, 1, 1, 1, 2]), 0);
  t.is(repetition([7, 1, 1, 1, 1, 1, 2, 3]), 5);
  t.is(repetition(many), 0);
});

test("compression ratio of text", (t) => {
  t.is(compressionRatio(""), 0);
  t.true(compressionRatio(speech) < 1.5);
  t.true(compressionRatio("no ".repeat(100)) > 10);
});
