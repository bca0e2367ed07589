import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import test from "ava";
import { transcribeAll } from "../../../eval/speech/run/all.ts";
import { type Pipeline, startPipeline } from "../../../eval/speech/run/pipeline.ts";
import { keepTranscripts } from "../../../eval/speech/run/transcripts.ts";
import type { Recording } from "../../../eval/speech/sets/types.ts";
import { createLog } from "../../../process/log.ts";
import { keys } from "../../../storage/keys.ts";
import { installRuntime } from "../../../workflows/runtime.ts";

/** The shipped call: 58.8 s of speech. */
const CALL = fileURLToPath(new URL("../../../embedded/sample/call.ogg", import.meta.url));
const log = createLog("eval", "silent");
test.before(() => installRuntime(log));

const REQUEST = { language: null, vocabulary: [] };

test("a recording runs through the real workflow once a version; later steps alone are repeated", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "escriba-eval-"));
  t.teardown(() => rm(directory, { recursive: true }));
  let pipeline: Promise<Pipeline> | undefined;
  const start = () => {
    pipeline ??= startPipeline(join(directory, "objects"), process.env, log);
    return pipeline;
  };
  t.teardown(async () => (await pipeline)?.close());
  const version = (all: string) => keepTranscripts(join(directory, "transcripts"), { hearing: "h", all }, start);

  const first = version("1");
  t.is(await first.known(CALL, REQUEST), null);
  const made = await first.make(CALL, REQUEST);
  t.regex(made.transcript.text, /thank you for calling/);
  t.is(made.transcript.language, "en");
  t.true(made.windows.length >= made.transcript.metrics.windows);
  t.true(made.windows.every(({ language, spans }) => language === "en" && spans.length > 0));
  t.deepEqual(await first.known(CALL, REQUEST), made);
  t.is(await first.known(CALL, { ...REQUEST, language: "en" }), null, "another request is another transcript");

  // The decoded audio is gone by now: had anything to be heard again, this would fail.
  const { store } = await start();
  const objects = await Array.fromAsync(store.list("transcripts/"));
  t.false(objects.some((key) => key.endsWith("audio.s16")));
  const second = version("2");
  t.is(await second.known(CALL, REQUEST), null);
  t.deepEqual(await second.make(CALL, REQUEST), made);
  t.deepEqual(await Array.fromAsync(store.list("uploads/")), []);
  const [id] = objects.map((key) => key.split("/")[1] as string);
  t.truthy(await store.head(keys.result(id as string)));

  // What is kept needs no time; what is not is left out when there is none.
  const recording: Recording = {
    id: "call",
    set: "call",
    split: "development",
    language: "en",
    path: CALL,
    durationMs: 58_800,
  };
  const none = () => false;
  const quiet = () => undefined;
  t.is((await transcribeAll(second, [recording], "without", none, quiet)).length, 1);
  t.deepEqual(await transcribeAll(version("3"), [recording], "without", none, quiet), []);
});

test("a failed transcript is its code", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "escriba-eval-"));
  t.teardown(() => rm(directory, { recursive: true }));
  const pipeline = await startPipeline(join(directory, "objects"), process.env, log);
  t.teardown(() => pipeline.close());
  const error = await t.throwsAsync(pipeline.run("1", fileURLToPath(import.meta.url), REQUEST));
  t.is((error?.cause as Error | undefined)?.message, "unsupported_audio_format");
});
