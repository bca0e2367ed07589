import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { defaultModelsDirectory, ensure } from "../../models/ensure.ts";
import { createEngine } from "../../speech/engine/engine.ts";
import { prepareAudio } from "../../speech/prepare.ts";
import type { WindowResult } from "../../speech/types.ts";
import { processTree } from "../processes.ts";
import { serve } from "./serve.ts";

/**
 * What the media and speech workers do with a recording, one step after the other as the workflow asks for them, with
 * the product's default settings. usage: escriba.ts THREADS
 */
const threads = Number(process.argv[2]);
const cache = { dir: defaultModelsDirectory(process.env) };
const sileroVad = await ensure("silero-vad", cache);
const engine = createEngine({ modelDir: await ensure("whisper-base", cache), threads });
const scratch = await mkdtemp(join(tmpdir(), "escriba-bench-"));

await serve(async ({ file }) => {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const phases: Record<string, number> = {};
  const timed = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const started = performance.now();
    const done = await work();
    phases[name] = Math.round(performance.now() - started);
    return done;
  };

  const started = performance.now();
  const path = join(scratch, "audio.s16");
  let voiceActivity: number | undefined;
  const plan = await timed("prepare", () =>
    prepareAudio({
      source: file,
      pcm: path,
      models: { sileroVad },
      onProgress: ({ stage }) => {
        if (stage === "voice-activity") voiceActivity ??= performance.now();
      },
    }),
  );
  if (voiceActivity !== undefined)
    phases["of which up to the first voice activity"] = Math.round(voiceActivity - started);
  const pcm = { path, offset: 0, length: plan.samples };
  const windows = plan.chunks.flatMap((chunk) => chunk.windows);
  const { language } = await timed("identify", () => engine.identify({ pcm, windows }));
  const results: WindowResult[] = [];
  await timed("recognise", async () => {
    for (const chunk of plan.chunks) {
      await engine.recognise({ pcm, windows: chunk.windows, language }, { onWindow: (result) => results.push(result) });
    }
  });
  const seconds = (performance.now() - started) / 1_000;

  delay.disable();
  const segments = results.toSorted((a, b) => a.index - b.index).flatMap((result) => result.segments);
  return {
    seconds,
    text: segments.map(({ text }) => text).join(" "),
    language,
    // As Node reports it: from one tick of its timer to the next, so an idle loop shows the resolution, 1 ms.
    event_loop_p99_ms: delay.percentile(99) / 1e6,
    peak_rss_mb: (await processTree(process.pid)).reduce((sum, { peakMb }) => sum + peakMb, 0),
    phases_ms: phases,
    windows: windows.length,
    chunks: plan.chunks.length,
    tokens: results.reduce((sum, { tokens }) => sum + tokens, 0),
    retried_windows: results.filter(({ retries }) => retries.length > 0).length,
  };
});

await engine.close();
await rm(scratch, { recursive: true, force: true });
