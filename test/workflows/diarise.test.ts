import test from "ava";
import { encodeVoiceprints } from "../../speech/diarization/voiceprints.ts";
import type { Utterance, Window } from "../../speech/types.ts";
import { readResult, readSubtitles } from "../../storage/results.ts";
import { speaking } from "../speech/voices.ts";
import { DoubleEngine, preparing } from "./doubles.ts";
import { type Stack, startStack } from "./stack.ts";

/** The engine is a double that says whose voice each window of 2 s is; the steps, the store and Temporal are real. */
let stack: Stack;
test.before(async () => {
  stack = await startStack();
});
test.after.always(() => stack?.stop());

const voiceOf = (window: Window, voice: number) =>
  encodeVoiceprints(speaking([{ voice, seconds: 2 }], { seed: window.index, from: window.spans[0]?.start ?? 0 }));

async function transcribed(voices: (window: Window) => Uint8Array | undefined) {
  const engine = new DoubleEngine(undefined, voices);
  const worker = await stack.worker({ engine, prepareAudio: preparing(6, 4) });
  try {
    const submitted = await stack.submit(Buffer.from("a recording"), { language: "es" });
    const row = await submitted.final();
    const result = await readResult(stack.postgres.db, submitted.id);
    const metrics = await (await fetch(worker.metricsUrl)).text();
    return {
      status: row?.status,
      warnings: result?.warnings,
      utterances: JSON.parse(result?.utterances ?? "[]") as Utterance[],
      txt: await readSubtitles(stack.postgres.db, submitted.id, "txt"),
      metrics,
    };
  } finally {
    await worker.drain();
  }
}

test.serial("speakers reach the transcript and its subtitles, numbered as they first speak", async (t) => {
  const { status, warnings, utterances, txt, metrics } = await transcribed((window) =>
    voiceOf(window, window.index % 4 < 2 ? 3 : 1),
  );
  t.is(status, "completed");
  t.deepEqual(warnings, []);
  t.deepEqual(
    utterances.map(({ speaker }) => speaker),
    Array.from({ length: 24 }, (_, window) => (window % 4 < 2 ? "0" : "1")),
  );
  t.regex(txt ?? "", /^Speaker 0: .*\nSpeaker 0: .*\nSpeaker 1: /);
  t.regex(metrics, /escriba_diarised_total\{[^}]*speakers="2"[^}]*\} 1/);
});

test.serial("one voice is one speaker with the warning that says so", async (t) => {
  const { warnings, utterances } = await transcribed((window) => voiceOf(window, 1));
  t.deepEqual(warnings, ["diarization_single_speaker"]);
  t.true(utterances.every(({ speaker }) => speaker === "0"));
});

for (const [what, voices] of [
  ["nobody heard", (window: Window) => (window.index === 7 ? undefined : voiceOf(window, window.index % 2))],
  ["are damaged", (window: Window) => (window.index === 7 ? Buffer.from("VOX1") : voiceOf(window, window.index % 2))],
] as const) {
  test.serial(`a window whose voices ${what}: a whole transcript without speakers, and it says so`, async (t) => {
    const { status, warnings, utterances, txt } = await transcribed(voices);
    t.is(status, "completed");
    t.deepEqual(warnings, ["diarization_unavailable"]);
    t.true(utterances.length === 24 && utterances.every(({ speaker, speakerRole }) => !speaker && !speakerRole));
    t.notRegex(txt ?? "", /Speaker/);
  });
}
