import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { WorkflowHandle } from "@temporalio/client";
import { historyToJSON } from "@temporalio/common/lib/proto-utils.js";
import { deleteTranscript } from "../../billing/delete-transcript.ts";
import { ChildCrashed } from "../../process/child-process.ts";
import { DoubleEngine, preparing } from "./doubles.ts";
import { HISTORIES } from "./histories.ts";
import { recordWebhooks } from "./record-webhooks.ts";
import { type Stack, startStack } from "./stack.ts";

/**
 * Records the histories that test/workflows/replay.test.ts replays: `npm run record-histories`. Run it when a workflow
 * takes a new way through `patched()`, under a new version; recorded files of earlier versions stay as they are, for
 * they stand for the workflows that run while a deployment takes place.
 */
const [, , version, part] = process.argv;
if (!version || !/^v\d+$/.test(version) || (part !== "transcripts" && part !== "webhooks")) {
  console.error("usage: npm run record-histories -- vN transcripts|webhooks");
  process.exit(2);
}
await mkdir(HISTORIES, { recursive: true });
if (part === "webhooks") await recordWebhooks(save);
else await recordTranscripts();

async function recordTranscripts(): Promise<void> {
  const stack = await startStack();
  try {
    await recordWays(stack);
  } finally {
    await stack.stop();
  }
}

async function recordWays(stack: Stack): Promise<void> {
  const AUDIO = Buffer.from("a recording");
  const record = recordOne.bind(null, stack);
  await record("completed", {}, (it) => it.submit(AUDIO));
  await record("language-given", {}, (it) => it.submit(AUDIO, { language: "es" }));
  await record("silent", { prepareAudio: preparing(0, 0) }, (it) => it.submit(AUDIO));
  await record("not-audio", { prepareAudio: undefined }, (it) => it.submit(AUDIO));
  await record("crashed", { engine: new DoubleEngine(crash) }, (it) => it.submit(AUDIO, { language: "es" }));
  const reached = Promise.withResolvers<void>();
  const waiting = new DoubleEngine((_, { signal }) => {
    reached.resolve();
    return new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
  });
  await record("deleted", { engine: waiting }, async (it) => {
    const submitted = await it.submit(AUDIO);
    await reached.promise;
    await deleteTranscript(it.postgres.db, submitted.organizationId, submitted.id);
    return submitted;
  });
}

async function crash(): Promise<void> {
  throw new ChildCrashed("killed by SIGSEGV", "");
}

async function recordOne(
  stack: Stack,
  name: string,
  replaced: Parameters<Stack["worker"]>[0],
  submit: (stack: Stack) => ReturnType<Stack["submit"]>,
): Promise<void> {
  const worker = await stack.worker({ engine: new DoubleEngine(), prepareAudio: preparing(10, 2), ...replaced });
  const { id } = await submit(stack);
  const handle = stack.temporal.client.workflow.getHandle(id);
  for (;;) {
    const status = await handle.describe().catch(() => undefined);
    if (status && status.status.name !== "RUNNING") break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await worker.drain();
  await save(name, handle);
}

async function save(name: string, handle: WorkflowHandle): Promise<void> {
  const path = new URL(`${version}-${name}.json`, HISTORIES);
  const history = JSON.parse(historyToJSON(await handle.fetchHistory()), withoutMachine);
  await writeFile(path, `${JSON.stringify(history)}\n`);
  console.log(fileURLToPath(path));
}

/** Paths and host names of the machine that recorded are nobody's business, and no part of a replay. */
function withoutMachine(key: string, value: unknown): unknown {
  return key === "identity" || key === "stackTrace" ? "" : value;
}
