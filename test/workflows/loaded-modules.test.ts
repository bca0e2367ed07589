import { execFile } from "node:child_process";
import { promisify } from "node:util";
import test from "ava";

const REPOSITORY = new URL("../../", import.meta.url);

/** Modules that a worker of these queues has loaded, once its queues are served from parts without a server. */
async function modulesOf(entries: string[]): Promise<string[]> {
  const script = `
    import { registerHooks } from "node:module";
    const loaded = new Set();
    registerHooks({ load(url, context, next) { loaded.add(url); return next(url, context); } });
    for (const entry of ${JSON.stringify(entries)}) await import(new URL(entry, ${JSON.stringify(REPOSITORY.href)}).href);
    process.stdout.write(JSON.stringify([...loaded]));
    process.exit(0);`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], {
    maxBuffer: 1 << 26,
  });
  return JSON.parse(stdout);
}

const DATABASE = /node_modules\/(pg|pg-[a-z]+|@prisma)\/|storage\/generated\/|storage\/database\.ts|\/billing\//;

test("what a media, speech, fetch or language worker loads holds no database client", async (t) => {
  const worker = ["workflows/main.ts", "workflows/worker.ts"];
  const queues = ["media-queue", "speech-queues", "fetch-queue", "language-queue"].map((it) => `workflows/${it}.ts`);
  const loaded = await modulesOf([...worker, ...queues]);
  t.true(loaded.some((url) => url.endsWith("speech/engine/engine.ts")));
  t.deepEqual(
    loaded.filter((url) => DATABASE.test(url)),
    [],
  );
});

test("the transcripts queue does load it, so the test above can fail", async (t) => {
  const loaded = await modulesOf(["workflows/transcripts-queue.ts"]);
  t.true(loaded.some((url) => DATABASE.test(url)));
});

test("a speech worker's two processes load no detector of written languages before a fast model wants one", async (t) => {
  const detector = /node_modules\/eld\//;
  const loaded = await modulesOf(["workflows/main.ts", "workflows/speech-queues.ts", "speech/whisper/recogniser.ts"]);
  t.true(loaded.some((url) => url.endsWith("speech/whisper/listener.ts")));
  t.deepEqual(
    loaded.filter((url) => detector.test(url)),
    [],
  );
  const judging = await modulesOf(["speech/recognition/hear-fast.ts"]);
  t.true(judging.some((url) => detector.test(url)));
});
