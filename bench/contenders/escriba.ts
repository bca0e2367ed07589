import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { defaultModelsDirectory, ensure } from "../../models/ensure.ts";
import { keepCompiledCode } from "../../process/compile-cache.ts";
import { createEngine } from "../../speech/engine/engine.ts";
import { prepareAudio } from "../../speech/prepare.ts";
import type { WindowResult } from "../../speech/types.ts";
import { VoiceDetectors } from "../../speech/voice-activity/detectors.ts";
import { processTree } from "../processes.ts";
import { serve } from "./serve.ts";

/**
 * What the media and speech workers do with recordings, with the product's default settings: language, a language a
 * window, word times, retries; voiceprints of every window with `voices`. usage: escriba.ts THREADS [voices]
 */
const [threads, voices] = process.argv.slice(2) as [string, string?];
keepCompiledCode(process.env);
const cache = { dir: defaultModelsDirectory(process.env) };
const detectors = new VoiceDetectors(await ensure("silero-vad", cache));
const engine = createEngine({
  modelDir: await ensure("whisper-base", cache),
  speakerDir: voices === "voices" ? await ensure("campplus", cache) : undefined,
  threads: Number(threads),
});
const scratch = await mkdtemp(join(tmpdir(), "escriba-bench-"));

/** The steps of one recording, in the order in which the workflow asks for them. */
class Transcription {
  readonly phases: Record<string, number> = {};
  readonly #source: string;
  readonly #pcm: string;

  constructor(source: string, name: string) {
    this.#source = source;
    this.#pcm = join(scratch, name);
  }

  async prepare() {
    const started = performance.now();
    let voiceActivity: number | undefined;
    const onProgress = ({ stage }: { stage: string }) => {
      if (stage === "voice-activity") voiceActivity ??= performance.now();
    };
    const plan = await this.#timed("prepare", () =>
      prepareAudio({ source: this.#source, pcm: this.#pcm, detectors, onProgress }),
    );
    if (voiceActivity !== undefined)
      this.phases["of which up to the first voice activity"] = Math.round(voiceActivity - started);
    return plan;
  }

  async hear(plan: Awaited<ReturnType<typeof prepareAudio>>) {
    const pcm = { path: this.#pcm, offset: 0, length: plan.samples };
    const windows = plan.chunks.flatMap((chunk) => chunk.windows);
    const { language, detection } = await this.#timed("identify", () => engine.identify({ pcm, windows }));
    const results: WindowResult[] = [];
    let voiceprints = 0;
    await this.#timed("recognise", async () => {
      for (const chunk of plan.chunks) {
        const onWindow = (result: WindowResult, prints?: Uint8Array) => {
          results.push(result);
          voiceprints += prints?.length ?? 0;
        };
        await engine.recognise({ pcm, windows: chunk.windows, language, detection }, { onWindow });
      }
    });
    await rm(this.#pcm);
    const segments = results.toSorted((a, b) => a.index - b.index).flatMap((result) => result.segments);
    return {
      text: segments.map(({ text }) => text).join(" "),
      language,
      spans: windows.map(({ spans }) => spans.map(({ start, end }) => [start, end])),
      voiceprint_bytes: voiceprints,
      tokens: results.reduce((sum, { tokens }) => sum + tokens, 0),
      retried_windows: results.filter(({ retries }) => retries.length > 0).length,
    };
  }

  async #timed<T>(name: string, work: () => Promise<T>): Promise<T> {
    const started = performance.now();
    const done = await work();
    this.phases[name] = Math.round(performance.now() - started);
    return done;
  }
}

async function one(file: string) {
  const transcription = new Transcription(file, "audio.s16");
  const heard = await transcription.hear(await transcription.prepare());
  return { ...heard, phases_ms: transcription.phases };
}

/** One is decoded while the one before it is heard, as a worker with its default slots does it. */
async function many(files: readonly string[]) {
  const hearing: ReturnType<Transcription["hear"]>[] = [];
  for (const [i, file] of files.entries()) {
    const transcription = new Transcription(file, `${i}.s16`);
    const heard = transcription.hear(await transcription.prepare());
    heard.catch(() => undefined); // thrown again below
    hearing.push(heard);
  }
  const texts = (await Promise.all(hearing)).map(({ text }) => text);
  return { text: texts.join(" "), texts, language: null };
}

await serve(async ({ file, files }) => {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const started = performance.now();
  const answer = files ? await many(files) : await one(file as string);
  const seconds = (performance.now() - started) / 1_000;
  delay.disable();
  const processes = await processTree(process.pid);
  return {
    ...answer,
    seconds,
    // As Node reports it: from one tick of its timer to the next, so an idle loop shows the resolution, 1 ms.
    event_loop_p99_ms: delay.percentile(99) / 1e6,
    peak_rss_mb: processes.reduce((sum, { peakMb }) => sum + peakMb, 0),
    rss_mb: processes.reduce((sum, { mb }) => sum + mb, 0),
  };
});

await engine.close();
await detectors.close();
await rm(scratch, { recursive: true, force: true });
