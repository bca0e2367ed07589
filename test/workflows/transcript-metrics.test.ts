import test from "ava";
import { createRegistry } from "../../process/metrics.ts";
import { createTranscriptMetrics } from "../../workflows/transcript-metrics.ts";
import { DoubleEngine, preparing } from "./doubles.ts";
import { type Stack, startStack } from "./stack.ts";

let stack: Stack;
test.before(async () => {
  stack = await startStack();
});
test.after.always(() => stack?.stop());

test("a finished transcript is counted once, with its audio, charge, waits and warnings", async (t) => {
  const worker = await stack.worker({ engine: new DoubleEngine(), prepareAudio: preparing(2, 1) });
  const done = await stack.submit(Buffer.from("a recording"), { language: "es" });
  t.is((await done.final())?.status, "completed");
  const lost = await stack.submit(Buffer.from("a recording"), { language: "es" });
  await stack.store.delete(lost.uploadKey);
  t.is((await lost.final())?.status, "failed");
  await Promise.all(
    [done, lost].map(({ id }) =>
      stack.temporal.client.workflow
        .getHandle(id)
        .result()
        .catch(() => null),
    ),
  );
  const text = await (await fetch(worker.metricsUrl)).text();
  await worker.drain();
  const value = (pattern: RegExp) => Number(pattern.exec(text)?.[1]);
  t.is(value(/^escriba_transcripts_finished_total\{outcome="completed",code="",[^}]*\} (\S+)$/m), 1);
  t.is(value(/^escriba_transcripts_finished_total\{outcome="failed",code="source_missing",[^}]*\} (\S+)$/m), 1, text);
  t.is(value(/^escriba_transcript_audio_seconds_total\{[^}]*\} (\S+)$/m), 4);
  t.is(value(/^escriba_transcript_charged_eur_total\{[^}]*\} (\S+)$/m), 0.0065);
  t.is(value(/^escriba_transcript_seconds_count\{[^}]*length="short"\} (\S+)$/m), 1);
  t.is(value(/^escriba_transcript_warnings_total\{warning="diarization_unavailable",[^}]*\} (\S+)$/m), 1);
  t.true(value(/^escriba_step_wait_seconds_count\{[^}]*queue="speech-short"\} (\S+)$/m) >= 2);
});

test("warnings with a reason or a module behind a colon are one series each", async (t) => {
  const registry = createRegistry("test");
  const metrics = createTranscriptMetrics(registry);
  t.regex(await registry.metrics(), /finished_total\{outcome="failed",code="deadline_exceeded",process="test"\} 0/);
  const settled = { audioSeconds: 301, seconds: 60, chargedEur: 0, writtenOffEur: 0.5 };
  metrics.completed({ ...settled, warnings: ["lid_failed: the model said no", "module_failed:a", "module_failed:b"] });
  const text = await registry.metrics();
  t.regex(text, /warnings_total\{warning="lid_failed",process="test"\} 1/);
  t.regex(text, /warnings_total\{warning="module_failed",process="test"\} 2/);
  t.regex(text, /seconds_count\{process="test",length="long"\} 1/);
  t.regex(text, /written_off_eur_total\{process="test"\} 0.5/);
});
