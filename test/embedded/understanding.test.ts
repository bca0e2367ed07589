import { openAsBlob } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import test from "ava";
import { completedTranscript } from "../../api/schemas/transcript.ts";
import { finalTranscript, makeStateDir, startService } from "./service.ts";

const MODULES = {
  topic_detection: {},
  summarization: {},
  action_items: true,
  sentiment_analysis: { scope: "customer" },
  content_moderation: {},
  profanity_filter: {},
  pii_redaction: {},
};

test("all seven modules on the embedded default: completed, each delivered or named in a warning", async (t) => {
  const service = await startService(await makeStateDir());
  t.teardown(() => service.stop());
  while (!service.script.stderr.includes("Chat and embeddings answer now")) {
    if (service.script.process.exitCode !== null) throw new Error(service.script.stderr);
    await sleep(100);
  }
  const form = new FormData();
  form.set("file", await openAsBlob(join(import.meta.dirname, "../../embedded/sample/call.ogg")), "call.ogg");
  const { id: file_id } = (await service.call("POST", "/v1/files", form)).body as { id: string };
  const request = { file_id, understanding: MODULES };
  const created = (await service.call("POST", "/v1/transcripts", request)).body as { id: string };
  const body = await finalTranscript(service, created.id);
  t.is(body.status, "completed", JSON.stringify(body.error));
  const transcript = completedTranscript.parse(body);
  const { understanding, warnings, pii, utterances, metrics } = transcript;
  const named = new Set(warnings.flatMap((warning) => /^module_(?:failed|unavailable):(.+)$/.exec(warning)?.[1] ?? []));
  for (const module of Object.keys(MODULES)) {
    const delivered = module === "pii_redaction" ? pii !== null : module in understanding;
    t.not(delivered, named.has(module), `${module}: ${JSON.stringify({ understanding, warnings })}`);
  }
  for (const { index } of understanding.sentiment_analysis?.by_utterance ?? [])
    t.is(utterances[index]?.speakerRole, "customer");
  t.log(`${named.size} of 7 named in warnings; ${JSON.stringify(metrics)}`);
});
