import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { WorkflowHandle } from "@temporalio/client";
import { historyToJSON } from "@temporalio/common/lib/proto-utils.js";
import { deleteTranscript } from "../../billing/delete-transcript.ts";
import { ChildCrashed } from "../../process/child-process.ts";
import { encodeVoiceprints } from "../../speech/diarization/voiceprints.ts";
import type { Window } from "../../speech/types.ts";
import { promptFingerprint } from "../../understanding/roles/model-vote.ts";
import type { Module } from "../../understanding/types.ts";
import { speaking } from "../speech/voices.ts";
import { says, startDouble } from "../upstream/double.ts";
import { DoubleEngine, preparing, SPOKEN } from "./doubles.ts";
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
const AUDIO = Buffer.from("a recording");
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
  const record = recordOne.bind(null, stack);
  await record("completed", {}, (it) => it.submit(AUDIO));
  await record("language-given", {}, (it) => it.submit(AUDIO, { language: "es" }));
  await recordUnderstood(stack);
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

/** With everything a client can ask for, two voices, and a model that answers with words of the call. */
async function recordUnderstood(stack: Stack): Promise<void> {
  const model = await startDouble();
  try {
    model.answer(
      says(
        JSON.stringify({
          ...{ roles: { "0": "agent", "1": "customer" }, certain: true },
          ...{ topic_detection: [], summarization: [`Hablan de ${SPOKEN}0.`], action_items: [] },
          ...{ content_moderation: [], profanity_filter: [], pii_redaction: [{ type: "PERSON", text: `${SPOKEN}0` }] },
        }),
      ),
    );
    const voices = ({ index, spans }: Window) =>
      encodeVoiceprints(
        speaking([{ voice: (index % 2) * 2 + 1, seconds: 2 }], { seed: index, from: spans[0]?.start ?? 0 }),
      );
    const calibration = { model: "theirs", prompt: promptFingerprint(), calls: 100, answered: 100, precision: 1 };
    const environment = {
      ESCRIBA_UPSTREAMS: JSON.stringify({ "service-llm-1-small": { url: model.url, model: "theirs" } }),
      ESCRIBA_ROLES_CALIBRATION: JSON.stringify(calibration),
    };
    const understanding = {
      ...{ topic_detection: {}, summarization: { context: SPOKEN }, action_items: {}, sentiment_analysis: {} },
      ...{ content_moderation: {}, profanity_filter: { policy: "mask" }, pii_redaction: { policy: "entity_name" } },
    };
    const modules = Object.keys(understanding) as Module[];
    await recordOne(
      stack,
      "understood",
      { engine: new DoubleEngine(undefined, voices, { terms: 1 }) },
      (it) => it.submit(AUDIO, { understanding, modules, customVocabulary: [SPOKEN] }),
      environment,
    );
  } finally {
    await model.stop();
  }
}

async function crash(): Promise<void> {
  throw new ChildCrashed("killed by SIGSEGV", "");
}

async function recordOne(
  stack: Stack,
  name: string,
  replaced: Parameters<Stack["worker"]>[0],
  submit: (stack: Stack) => ReturnType<Stack["submit"]>,
  environment: Record<string, string> = {},
): Promise<void> {
  const parts = { engine: new DoubleEngine(), prepareAudio: preparing(10, 2), ...replaced };
  const worker = await stack.worker(parts, environment);
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
