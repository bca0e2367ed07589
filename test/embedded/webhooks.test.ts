import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "ava";
import Stripe from "stripe";
import { transcriptCompletedEvent } from "../../api/schemas/events.ts";
import { secretsKey } from "../../embedded/secrets-key.ts";
import { authority, startReceiver } from "../support/receiver.ts";
import { eventually } from "../workflows/stack.ts";
import { finalTranscript, makeStateDir, startService } from "./service.ts";

const SAMPLE = join(import.meta.dirname, "../../embedded/sample/call.ogg");

test("npm start delivers: from POST /v1/webhooks to a request that stripe's verifier accepts", async (t) => {
  const stateDir = await makeStateDir();
  const authorityFile = join(stateDir, "authority.pem");
  await writeFile(authorityFile, authority.cert);
  const receiver = await startReceiver();
  const service = await startService(stateDir, {
    ESCRIBA_WEBHOOK_NETWORKS: "127.0.0.0/8",
    ESCRIBA_EXTRA_CA_FILE: authorityFile,
  });
  t.teardown(async () => {
    await service.stop();
    await receiver.close();
  });
  const events = ["transcript.completed"];
  const registered = await service.call("POST", "/v1/webhooks", { url: `${receiver.localUrl}/hooks`, events });
  t.is(registered.status, 201);
  const { id: webhookId, secret } = registered.body as { id: string; secret: string };
  const form = new FormData();
  form.set("file", new Blob([await readFile(SAMPLE)]), "call.ogg");
  const file = (await service.call("POST", "/v1/files", form)).body as { id: string };
  const { id } = (await service.call("POST", "/v1/transcripts", { file_id: file.id })).body as { id: string };
  const transcript = await finalTranscript(service, id);

  const [request] = await eventually(async () => receiver.received.length > 0 && receiver.received);
  const header = String(request?.headers["service-signature"]);
  const event = new Stripe("sk_unused").webhooks.constructEvent(request?.body ?? "", header, secret);
  t.like(transcriptCompletedEvent.parse(event), {
    transcript_id: id,
    status: "completed",
    language: transcript.language,
    audio_duration: transcript.audio_duration,
  });
  const delivered = await eventually(async () => {
    const { body } = await service.call("GET", `/v1/webhooks/${webhookId}/deliveries`);
    const [attempt] = (body as { data: Record<string, unknown>[] }).data;
    return attempt?.status === "delivered" && attempt;
  });
  t.like(delivered, { attempt: 1, event: "transcript.completed", response_status: 200 });
  t.is(receiver.received.length, 1);
});

test("the key of the secrets is made once, for its owner's eyes", async (t) => {
  const path = join(await makeStateDir(), "secrets.key");
  const key = await secretsKey(path);
  t.is(Buffer.from(key, "base64").length, 32);
  t.is(await secretsKey(path), key);
  t.is((await stat(path)).mode & 0o777, 0o600);
});
