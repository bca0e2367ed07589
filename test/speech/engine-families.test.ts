import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type ExecutionContext } from "ava";
import { Graph } from "../../models/onnx/graph.ts";
import { writeOnnx } from "../../models/onnx/write.ts";
import { ChildCrashed, ChildFailure } from "../../process/child-process.ts";
import { createEngine, type EngineOptions } from "../../speech/engine/engine.ts";
import { assembleTranscript } from "../../speech/transcript.ts";
import type { WindowResult } from "../../speech/types.ts";
import { model, prepareFixture, TEXTS, wordErrorRate } from "./recordings.ts";

async function start(t: ExecutionContext, options: Partial<EngineOptions> = {}) {
  const engine = createEngine({ modelDir: await model("whisper-base"), threads: 1, ...options });
  t.teardown(() => engine.close());
  return engine;
}

const moonshine = async () => ({ model: "moonshine-tiny" as const, directory: await model("moonshine-tiny") });

test.serial(
  "English goes to Moonshine, named or found to be; what the caller expects to hear is Whisper's",
  async (t) => {
    const { pcm, plan, windows } = await prepareFixture(t, "call-en.ogg");
    const engine = await start(t, { fast: await moonshine() });
    const recognise = async (more: object) => {
      const results: WindowResult[] = [];
      await engine.recognise({ pcm, windows, language: "en", ...more }, { onWindow: (result) => results.push(result) });
      return results;
    };
    const named = await recognise({});
    t.deepEqual(
      named.map(({ model }) => model),
      windows.map(() => "moonshine-tiny"),
    );
    const language = { language: "en", confidence: 1, warnings: [] };
    const { text } = await assembleTranscript(plan, language, named);
    t.true(wordErrorRate(TEXTS.en, text) <= 0.1, text);

    const found = await engine.identify({ pcm, windows });
    t.is(found.language, "en");
    const asked = await recognise({ detection: found.detection });
    t.deepEqual(
      asked.map(({ model, segments }) => ({ model, segments })),
      named.map(({ model, segments }) => ({ model, segments })),
    );
    t.true(asked.every(({ languages }) => languages?.[0]?.language === "en"));

    const expecting = await recognise({ vocabulary: ["Kowalczyk"] });
    t.true(expecting.every(({ model }) => model === undefined));
  },
);

test.serial("Spanish stays with Whisper, and so does what Moonshine makes of Spanish called English", async (t) => {
  const { pcm, windows } = await prepareFixture(t, "call-es.ogg");
  const engine = await start(t, { fast: await moonshine() });
  for (const language of ["es", "en"]) {
    await engine.recognise({ pcm, windows, language }, { onWindow: ({ model }) => t.is(model, undefined) });
  }
});

test.serial("an encoder that finds no memory: another process, half the batch, the work may be repeated", async (t) => {
  const { pcm, windows } = await prepareFixture(t, "call-en.ogg");
  const directory = await mkdtemp(join(tmpdir(), "escriba-memory-"));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const real = await model("whisper-base");
  for (const file of ["step.onnx", "tokenizer.json", "config.json", "generation_config.json"]) {
    await symlink(join(real, file), join(directory, file));
  }
  await writeOnnx(greedyEncoder(), join(directory, "encode.onnx"), { producer: "test", version: "1" });
  const engine = await start(t, { modelDir: directory, batch: 4 });
  const attempt = () =>
    t.throwsAsync(engine.recognise({ pcm, windows, language: "en" }, { onWindow: () => t.fail() }), {
      instanceOf: ChildCrashed,
      message: /out of memory/,
    });
  await attempt();
  const first = engine.pid;
  t.is(first, undefined);
  await attempt();
});

test.serial("a device without its libraries is named", async (t) => {
  const { pcm, windows } = await prepareFixture(t, "call-en.ogg");
  const engine = await start(t, { device: "cuda:0" });
  const error = await t.throwsAsync(engine.recognise({ pcm, windows, language: "en" }, { onWindow: () => t.fail() }), {
    instanceOf: ChildFailure,
  });
  t.regex(error?.message ?? "", /cuda/i);
});

/** Whisper's encoder by its input; what it makes of it would fill petabytes. */
function greedyEncoder(): Graph {
  const graph = new Graph("encode");
  const audio = graph.input("audio", "f32", [1, "samples"]);
  const first = graph.node("Slice", [audio, graph.integers(0), graph.integers(1), graph.integers(1)]);
  const huge = graph.node("Expand", [first, graph.integers(2 ** 30, 2 ** 20)]);
  const sum = graph.node("ReduceSum", [huge]);
  for (let layer = 0; layer < 6; layer++) {
    graph.node("Expand", [sum, graph.integers(1, 8, 64, 1_500)], {}, `ck${layer}`);
    graph.node("Expand", [sum, graph.integers(1, 8, 1_500, 64)], {}, `cv${layer}`);
    graph.output(`ck${layer}`, "f32", [1, 8, 64, 1_500]);
    graph.output(`cv${layer}`, "f32", [1, 8, 1_500, 64]);
  }
  return graph;
}
