import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type ExecutionContext } from "ava";
import { processTree } from "../../bench/processes.ts";
import { diarise } from "../../speech/diarization/diarise.ts";
import { decodeVoiceprints, joinVoiceprints } from "../../speech/diarization/voiceprints.ts";
import { createEngine, type EngineOptions } from "../../speech/engine/engine.ts";
import { assembleTranscript } from "../../speech/transcript.ts";
import type { SpeakerTurns, WindowResult } from "../../speech/types.ts";
import { bareWords, model, oneSpanWindows, prepareFixture } from "./recordings.ts";

async function start(t: ExecutionContext, options: Partial<EngineOptions> = {}) {
  const speakerDir = await model("campplus");
  const engine = createEngine({ modelDir: await model("whisper-base"), speakerDir, threads: 1, ...options });
  t.teardown(() => engine.close());
  return engine;
}

const speakersOf = (stored: readonly Uint8Array[]): Promise<SpeakerTurns> =>
  diarise(async function* () {
    yield joinVoiceprints(stored.map(decodeVoiceprints));
  });

test.serial("a call is told apart by voice: who says what, as it was synthesised", async (t) => {
  t.timeout(600_000, "the first run fetches the models");
  const { pcm, plan, windows } = await prepareFixture(t, "call-en.ogg");
  const engine = await start(t);
  const results: WindowResult[] = [];
  const stored: Uint8Array[] = [];
  const onWindow = (result: WindowResult, voices?: Uint8Array) => {
    results.push(result);
    if (voices) stored[result.index] = voices;
  };
  await engine.recognise({ pcm, windows, language: "en" }, { onWindow });
  t.is(stored.length, windows.length);
  const speakers = await speakersOf(stored);
  const language = { language: "en", confidence: 1, warnings: [] };
  const { utterances, warnings, text } = await assembleTranscript(plan, language, results, speakers);
  t.deepEqual(warnings, []);
  t.is(text, utterances.map((utterance) => utterance.text).join(" "));
  // Turns 1, 3 and 5 are slt's; 2 and 6 rms'. The fourth voice speaks for less than 8 s: it is one of these two.
  const by = (speaker: string) =>
    bareWords(
      utterances
        .filter((it) => it.speaker === speaker)
        .map((it) => it.text)
        .join(" "),
    );
  for (const word of ["morning", "invoice", "october"]) t.true(by("0").includes(word), word);
  for (const word of ["hello", "leaving", "office"]) t.true(by("1").includes(word), word);
  t.false(by("0").includes("papers") || by("1").includes("calling"));
});

test.serial("one voice in four turns is one speaker", async (t) => {
  const { pcm, windows } = await prepareFixture(t, "call-es.ogg");
  const engine = await start(t);
  const stored: Uint8Array[] = [];
  const onWindow = (_: WindowResult, voices?: Uint8Array) => voices && stored.push(voices);
  await engine.recognise({ pcm, windows, language: "es" }, { onWindow });
  const { speakers, warnings } = await speakersOf(stored);
  t.deepEqual([speakers, warnings], [1, ["diarization_single_speaker"]]);
});

test.serial("voiceprints are the same to the byte whatever the batch, and after a kill", async (t) => {
  const { pcm, windows } = await prepareFixture(t, "call-en.ogg");
  const small = oneSpanWindows(windows).slice(0, 4);
  const all: Map<number, Uint8Array>[] = [];
  for (const batch of [1, 4]) {
    const engine = await start(t, { batch });
    const prints = new Map<number, Uint8Array>();
    const onWindow = (result: WindowResult, voices?: Uint8Array) => {
      if (voices) prints.set(result.index, voices);
      if (batch === 1 && prints.size === 2 && result.index === 1) process.kill(engine.pid as number, "SIGKILL");
    };
    const request = { pcm, windows: small, language: "en" };
    await engine.recognise(request, { onWindow }).catch((error) => t.is(error.name, "ChildCrashed"));
    const missing = small.filter(({ index }) => !prints.has(index));
    await engine.recognise({ ...request, windows: missing }, { onWindow });
    t.is(prints.size, small.length);
    all.push(prints);
    await engine.close();
  }
  for (const { index } of small) t.deepEqual(all[0]?.get(index), all[1]?.get(index));
});

test.serial("a killed process of the voices costs nothing: another hears them", async (t) => {
  const { pcm, windows } = await prepareFixture(t, "call-en.ogg");
  const engine = await start(t);
  const heard: (Uint8Array | undefined)[] = [];
  const onWindow = (_: WindowResult, voices?: Uint8Array) => void heard.push(voices);
  const hearing = engine.recognise({ pcm, windows, language: "en" }, { onWindow });
  const started = (await processTree(process.pid)).filter(({ command }) => command.includes("voices-child.ts"));
  t.is(started.length, 1);
  for (const { pid } of started) process.kill(pid, "SIGKILL");
  await hearing;
  t.is(heard.length, windows.length);
  t.true(heard.every((voices) => voices !== undefined));
});

test.serial("a speaker model that cannot be loaded costs the voices, not the words", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "escriba-no-speakers-"));
  t.teardown(() => rm(directory, { recursive: true }));
  await writeFile(join(directory, "speaker.onnx"), "not a model");
  const { pcm, windows } = await prepareFixture(t, "call-es.ogg");
  const lines: string[] = [];
  const engine = await start(t, { speakerDir: directory, onStderr: (line) => lines.push(line) });
  let heard = 0;
  await engine.recognise(
    { pcm, windows, language: "es" },
    {
      onWindow: ({ segments }, voices) => {
        t.is(voices, undefined);
        heard += segments.length;
      },
    },
  );
  t.true(heard > 0);
  t.is(lines.filter((line) => line.includes("voices are not told apart")).length, 1);
});
