import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@temporalio/client";
import { Worker } from "@temporalio/worker";
import test from "ava";
import * as z from "zod";
import { createLog } from "../../process/log.ts";
import { readSettings, SettingsError } from "../../process/settings.ts";
import { installRuntime } from "../../workflows/runtime.ts";
import { connectClient, connectWorkers } from "../../workflows/temporal-connection.ts";
import { readTemporalSettings, temporalFields } from "../../workflows/temporal-settings.ts";
import { createAuthority } from "../support/certificate.ts";
import { startTestTemporal, type TestTemporal } from "../support/temporal.ts";
import { startTlsFront, type TlsFront } from "../support/tls-front.ts";

const NAME = "temporal.internal";
const [servers, clients, strangers] = ["servers", "clients", "strangers"].map((name) => createAuthority(name));

let temporal: TestTemporal;
let front: TlsFront;
let directory: string;
const file = (name: string) => join(directory, name);

test.before(async () => {
  if (!servers || !clients || !strangers) throw new Error("no authorities");
  installRuntime(createLog("worker", "silent"));
  temporal = await startTestTemporal();
  directory = await mkdtemp(join(tmpdir(), "escriba-mtls-"));
  front = await startTlsFront(temporal.address, { authority: servers, name: NAME, clients });
  const own = clients.issue(["worker"]);
  const foreign = strangers.issue(["worker"]);
  await writeFile(file("ca.crt"), servers.cert);
  await writeFile(file("other-ca.crt"), strangers.cert);
  await writeFile(file("tls.crt"), own.cert);
  await writeFile(file("tls.key"), own.key);
  await writeFile(file("foreign.crt"), foreign.cert);
  await writeFile(file("foreign.key"), foreign.key);
});
test.after.always(async () => {
  await front?.stop();
  await temporal?.stop();
  if (directory) await rm(directory, { recursive: true, force: true });
});

const read = (env: Record<string, string>) => readTemporalSettings(readSettings(z.object(temporalFields), env));
const mutual = () => ({
  ESCRIBA_TEMPORAL_ADDRESS: front.address,
  ESCRIBA_TEMPORAL_CA_FILE: file("ca.crt"),
  ESCRIBA_TEMPORAL_CERT_FILE: file("tls.crt"),
  ESCRIBA_TEMPORAL_KEY_FILE: file("tls.key"),
  ESCRIBA_TEMPORAL_SERVER_NAME: NAME,
});

test.serial("with a certificate of its own and an API key, clients and workers are let in", async (t) => {
  const settings = read({ ...mutual(), ESCRIBA_TEMPORAL_API_KEY: "k3y" });
  const connection = await connectClient(settings);
  t.teardown(() => connection.close());
  await new Client({ connection }).workflow.count();
  const workers = await connectWorkers(settings);
  t.teardown(() => workers.close());
  const worker = await Worker.create({ connection: workers, taskQueue: "tls", activities: { nothing: async () => 1 } });
  await worker.runUntil(async () => {
    const { pollers } = await connection.workflowService.describeTaskQueue({
      namespace: "default",
      taskQueue: { name: "tls" },
      taskQueueType: 2,
    });
    t.true(Array.isArray(pollers));
  });
  t.true(front.seen.length > 3);
  t.true(front.seen.every(({ authorization, certified }) => certified && authorization === "Bearer k3y"));
});

test.serial("whoever has no certificate, a stranger's, or doubts the server's is told why and where", async (t) => {
  const { ESCRIBA_TEMPORAL_CERT_FILE: _, ESCRIBA_TEMPORAL_KEY_FILE: __, ...anonymous } = mutual();
  const { ESCRIBA_TEMPORAL_SERVER_NAME: ___, ...unnamed } = mutual();
  const stranger = {
    ESCRIBA_TEMPORAL_CERT_FILE: file("foreign.crt"),
    ESCRIBA_TEMPORAL_KEY_FILE: file("foreign.key"),
  };
  const wrong: Record<string, Record<string, string>> = {
    anonymous,
    unnamed,
    stranger: { ...mutual(), ...stranger },
    doubting: { ...mutual(), ESCRIBA_TEMPORAL_CA_FILE: file("other-ca.crt") },
    plain: { ESCRIBA_TEMPORAL_ADDRESS: front.address },
  };
  for (const [who, env] of Object.entries(wrong)) {
    const settings = read(env);
    for (const connect of [() => connectWorkers(settings), () => connectClient(settings, { connectTimeout: 3_000 })]) {
      const error = await t.throwsAsync(connect(), undefined, who);
      t.true(error.message.includes(`Temporal at ${front.address} cannot be reached`), `${who}: ${error.message}`);
    }
  }
  const missing = read({ ...mutual(), ESCRIBA_TEMPORAL_CA_FILE: file("none.crt") });
  await t.throwsAsync(connectClient(missing), { message: /none\.crt for Temporal cannot be read/ });
});

test("TLS is on when something of it is set, or an API key; what contradicts itself is refused", (t) => {
  t.like(read({}), { address: "127.0.0.1:7233", namespace: "default", tls: null, apiKey: null });
  t.like(read({ ESCRIBA_TEMPORAL_TLS: "true" }).tls, { caFile: null });
  t.like(read({ ESCRIBA_TEMPORAL_SERVER_NAME: "t" }).tls, { serverName: "t" });
  t.truthy(read({ ESCRIBA_TEMPORAL_API_KEY: "k" }).tls);
  t.is(read({ ESCRIBA_TEMPORAL_API_KEY: "k", ESCRIBA_TEMPORAL_TLS: "false" }).tls, null);
  const contradictions: Record<string, string>[] = [
    { ESCRIBA_TEMPORAL_CERT_FILE: "a" },
    { ESCRIBA_TEMPORAL_KEY_FILE: "a" },
    { ESCRIBA_TEMPORAL_TLS: "false", ESCRIBA_TEMPORAL_CA_FILE: "a" },
    { ESCRIBA_TEMPORAL_TLS: "perhaps" },
  ];
  for (const env of contradictions) {
    t.throws(() => read(env), { instanceOf: SettingsError, message: /ESCRIBA_TEMPORAL_/ });
  }
});
