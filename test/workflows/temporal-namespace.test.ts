import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, Connection } from "@temporalio/client";
import test from "ava";
import { run } from "../../cli/admin/migrate.ts";
import { organizationAttribute } from "../../workflows/organization-attribute.ts";
import { startMail, startTranscribe } from "../../workflows/starts.ts";
import { ensureNamespace } from "../../workflows/temporal-namespace.ts";
import { createAuthority } from "../support/certificate.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { startTestTemporal, type TestTemporal } from "../support/temporal.ts";
import { startTlsFront } from "../support/tls-front.ts";
import { eventually } from "./stack.ts";

let temporal: TestTemporal;
let postgres: TestPostgres;
test.before(async () => {
  [temporal, postgres] = await Promise.all([startTestTemporal(), startTestPostgres({ migrated: false })]);
});
test.after.always(async () => {
  await temporal?.stop();
  await postgres?.stop();
});

async function migrate(env: Record<string, string>, ...args: string[]) {
  const said = { out: "", error: "" };
  const code = await run(args, {
    env: { ESCRIBA_DATABASE_URL: postgres.url, ESCRIBA_TEMPORAL_ADDRESS: temporal.address, ...env },
    out: (text) => {
      said.out += text;
    },
    error: (text) => {
      said.error += text;
    },
  });
  return { code, ...said };
}

const retention = async (namespace: string) => {
  const { config } = await temporal.client.connection.workflowService.describeNamespace({ namespace });
  return Number(config?.workflowExecutionRetentionTtl?.seconds) / 86_400;
};

test.serial(
  "migrations run at once make the tables, the namespace and its attribute once; workflows are found by it",
  async (t) => {
    const env = { ESCRIBA_TEMPORAL_NAMESPACE: "escriba" };
    const runs = await Promise.all([migrate(env, "--json"), migrate(env, "--json"), migrate(env, "--json")]);
    for (const { code, error } of runs) t.is(code, 0, error);
    t.is(
      new Set(runs.flatMap(({ out }) => JSON.parse(out).applied)).size,
      runs.flatMap(({ out }) => JSON.parse(out).applied).length,
    );
    t.deepEqual(
      runs.flatMap(({ out }) => JSON.parse(out).temporal.commands),
      [],
    );
    t.is(await retention("escriba"), 7);
    t.is((await migrate(env)).out, "Nothing to apply.\nNothing to make in Temporal.");

    const client = new Client({
      connection: temporal.client.connection,
      namespace: "escriba",
      interceptors: { workflow: [organizationAttribute] },
    });
    const organizationId = "0f9f4dd4-1f0c-4a5d-8a6e-6d6d5f0f3a11";
    const input = {
      transcriptId: "tr_1",
      organizationId,
      fairnessKey: organizationId,
      fairnessWeight: 1,
      deadlineAt: 0,
    };
    await startTranscribe(client, input, "REJECT_DUPLICATE");
    await startMail(client, { eventId: "evt_1", memberId: "m", organizationId: "other" });
    await eventually(
      async () => (await client.workflow.count(`EscribaOrganization = '${organizationId}'`)).count === 1,
    );
  },
);

test.serial("a retention that is too short is raised, a longer one stays", async (t) => {
  const more = { ESCRIBA_TEMPORAL_NAMESPACE: "escriba", ESCRIBA_TEMPORAL_RETENTION_DAYS: "30" };
  t.regex((await migrate(more)).out, /kept 30 days/);
  t.is(await retention("escriba"), 30);
  t.regex((await migrate({ ...more, ESCRIBA_TEMPORAL_RETENTION_DAYS: "7" })).out, /Nothing to make in Temporal/);
  t.is(await retention("escriba"), 30);
});

test.serial("what Temporal does not let us do is printed as commands, and is no failure", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "escriba-refused-"));
  const authority = createAuthority();
  const front = await startTlsFront(temporal.address, {
    ...{ authority, name: "127.0.0.1", clients: null },
    refuse: (path) => /RegisterNamespace|UpdateNamespace|OperatorService/.test(path),
  });
  t.teardown(async () => {
    await front.stop();
    await rm(directory, { recursive: true });
  });
  await writeFile(join(directory, "ca.crt"), authority.cert);
  const env = { ESCRIBA_TEMPORAL_ADDRESS: front.address, ESCRIBA_TEMPORAL_CA_FILE: join(directory, "ca.crt") };
  const fresh = await migrate({ ...env, ESCRIBA_TEMPORAL_NAMESPACE: "wished" });
  t.is(fresh.code, 0, fresh.error);
  t.true(fresh.out.includes("temporal operator namespace create --namespace wished --retention 168h\n"));
  t.true(fresh.out.includes("search-attribute create --namespace wished --name EscribaOrganization --type Keyword"));
  const there = await migrate({ ...env, ESCRIBA_TEMPORAL_NAMESPACE: "escriba", ESCRIBA_TEMPORAL_RETENTION_DAYS: "60" });
  t.true(there.out.includes("temporal operator namespace update --namespace escriba --retention 1440h"));
  await t.throwsAsync(temporal.client.connection.workflowService.describeNamespace({ namespace: "wished" }));
});

test.serial(
  "without an address Temporal is left alone; one that does not answer is a failure that names it",
  async (t) => {
    t.deepEqual(await migrate({ ESCRIBA_TEMPORAL_ADDRESS: "" }), { code: 0, out: "Nothing to apply.", error: "" });
    const { code, error } = await migrate({ ESCRIBA_TEMPORAL_ADDRESS: "127.0.0.1:1" });
    t.is(code, 1);
    t.regex(error, /Temporal at 127\.0\.0\.1:1 cannot be reached/);
  },
);

test("a namespace's own default stays usable", async (t) => {
  const connection = await Connection.connect({ address: temporal.address });
  t.teardown(() => connection.close());
  const report = await ensureNamespace(connection, { namespace: "default", retentionDays: 1 });
  t.deepEqual(report.commands, []);
});
