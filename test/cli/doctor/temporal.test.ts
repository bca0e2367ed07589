import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, Connection } from "@temporalio/client";
import test from "ava";
import { AHEAD, judge, LATE } from "../../../cli/doctor/fairness-probe.ts";
import { examineTemporal } from "../../../cli/doctor/temporal.ts";
import { readQueue } from "../../../workflows/queue-watch.ts";
import { createAuthority } from "../../support/certificate.ts";
import { startTestTemporal } from "../../support/temporal.ts";
import { startTlsFront } from "../../support/tls-front.ts";
import { eventually } from "../../workflows/stack.ts";
import { examined, outcomes } from "./examined.ts";

const probes = `WorkflowType = 'escriba-doctor-probe'`;

test.serial("fairness is ON on a server that shares queues out, and the probe leaves nothing", async (t) => {
  const temporal = await startTestTemporal();
  t.teardown(() => temporal.stop());
  const { client } = temporal;
  // A queue with work and nobody to do it.
  await client.workflow.start("transcribe", { taskQueue: "transcripts", workflowId: "alone", args: [] });
  await eventually(async () => (await readQueue(client, "transcripts", Date.now())).backlog === 1);

  const checks = await examined("temporal", examineTemporal, { ESCRIBA_TEMPORAL_ADDRESS: temporal.address });
  t.deepEqual(outcomes(checks), { reachable: "ok", namespace: "warning", queues: "warning", fairness: "ok" });
  t.like(checks.reachable?.numbers, { version: "1.32.0" });
  t.deepEqual(checks.namespace?.remedy, ["temporal operator namespace update --namespace default --retention 72h"]);
  t.like(checks.queues?.numbers, { transcripts_waiting: 1, transcripts_workers: 0, speech_waiting: 0 });
  t.regex(checks.queues?.remedy?.[0] ?? "", /^nobody works on transcripts: /);
  const said = /^ON: 5 activities behind another organization's 200 were handed out as numbers /;
  t.regex(checks.fairness?.said ?? "", said);
  const { positions = [] } = checks.fairness?.numbers ?? {};
  t.is(Array.isArray(positions) ? positions.length : 0, LATE);
  const open = `${probes} AND ExecutionStatus = 'Running'`;
  await eventually(async () => (await client.workflow.count(open)).count === 0);
  // The server takes its time to delete.
  await eventually(async () => (await client.workflow.count(probes)).count === 0);
});

test.serial("fairness is OFF on a stock server, with its numbers and the settings that turn it on", async (t) => {
  const temporal = await startTestTemporal({ dynamicConfig: [] });
  t.teardown(() => temporal.stop());
  const { fairness } = await examined("temporal", examineTemporal, { ESCRIBA_TEMPORAL_ADDRESS: temporal.address });
  t.is(fairness?.outcome, "warning");
  t.regex(fairness?.said ?? "", /^OFF: /);
  t.regex(fairness?.remedy?.join("\n") ?? "", /matching\.enableFairness: true.*matching\.autoEnableV2: true/);
  t.is(fairness?.numbers?.on, false);

  const unknown = { ESCRIBA_TEMPORAL_ADDRESS: temporal.address, ESCRIBA_TEMPORAL_NAMESPACE: "nowhere" };
  const { namespace, ...rest } = await examined("temporal", examineTemporal, unknown);
  t.deepEqual(Object.keys(rest), ["reachable"]);
  t.deepEqual(namespace?.remedy, ["temporal operator namespace create --namespace nowhere --retention 72h"]);

  const connection = await Connection.connect({ address: temporal.address });
  const { count } = await new Client({ connection }).workflow.count(`${probes} AND ExecutionStatus = 'Running'`);
  await connection.close();
  t.is(count, 0);
});

test.serial(
  "a server behind TLS is reached with a certificate and a key, and without them the doctor says so",
  async (t) => {
    const temporal = await startTestTemporal();
    t.teardown(() => temporal.stop());
    const [servers, clients] = [createAuthority("servers"), createAuthority("clients")];
    const front = await startTlsFront(temporal.address, { authority: servers, name: "temporal.internal", clients });
    t.teardown(() => front.stop());
    const directory = await mkdtemp(join(tmpdir(), "escriba-doctor-"));
    t.teardown(() => rm(directory, { recursive: true, force: true }));
    const { cert, key } = clients.issue(["doctor"]);
    const file = async (name: string, text: string) => {
      await writeFile(join(directory, name), text);
      return join(directory, name);
    };
    const mutual = {
      ESCRIBA_TEMPORAL_ADDRESS: front.address,
      ESCRIBA_TEMPORAL_CA_FILE: await file("ca.crt", servers.cert),
      ESCRIBA_TEMPORAL_CERT_FILE: await file("tls.crt", cert),
      ESCRIBA_TEMPORAL_KEY_FILE: await file("tls.key", key),
      ESCRIBA_TEMPORAL_SERVER_NAME: "temporal.internal",
      ESCRIBA_TEMPORAL_API_KEY: "k3y",
    };
    const { reachable, fairness } = await examined("temporal", examineTemporal, mutual);
    t.like(reachable, { outcome: "ok", numbers: { encrypted: true } });
    t.is(fairness?.outcome, "ok");
    t.true(front.seen.every(({ authorization, certified }) => certified && authorization === "Bearer k3y"));
    const plain = await examined("temporal", examineTemporal, { ESCRIBA_TEMPORAL_ADDRESS: front.address });
    t.deepEqual(outcomes(plain), { reachable: "failed" });
    t.regex(plain.reachable?.remedy?.[0] ?? "", /ESCRIBA_TEMPORAL_… of TLS/);
  },
);

test("a server that is not there is said with its address", async (t) => {
  const checks = await examined("temporal", examineTemporal, { ESCRIBA_TEMPORAL_ADDRESS: "127.0.0.1:1" });
  t.deepEqual(outcomes(checks), { reachable: "failed" });
  t.regex(checks.reachable?.said ?? "", /^Temporal at 127\.0\.0\.1:1 cannot be reached/);
  t.regex(checks.reachable?.remedy?.[0] ?? "", /ESCRIBA_TEMPORAL_ADDRESS/);
});

test("early places are fairness, late ones are none, and what never came counts as last", (t) => {
  const ahead = (count: number) => Array.from({ length: count }, () => "ahead");
  t.like(judge([...ahead(3), "late", "late", "ahead", "late", ...ahead(12), "late", ...ahead(15), "late"]), {
    on: true,
    positions: [4, 5, 7, 20, 36],
  });
  // As a stock server with four partitions gave them.
  const spread = ahead(AHEAD + LATE).map((key, at) => ([119, 139, 141, 193, 194].includes(at + 1) ? "late" : key));
  t.like(judge(spread), { on: false, positions: [119, 139, 141, 193, 194] });
  t.deepEqual(judge(ahead(AHEAD)).positions, [201, 201, 201, 201, 201]);
});
