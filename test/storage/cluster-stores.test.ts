import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import test, { type ExecutionContext } from "ava";
import pg from "pg";
import { createTranscript } from "../../billing/create-transcript.ts";
import { failTranscript } from "../../billing/fail-transcript.ts";
import { settleTranscript } from "../../billing/settle-transcript.ts";
import { closeDatabase, createDatabase } from "../../storage/database.ts";
import { readDemand } from "../../storage/demand.ts";
import { migrate } from "../../storage/migrate.ts";
import { recordProgress } from "../../storage/transcripts.ts";
import { createAuthority } from "../support/certificate.ts";
import { newOrganization, settlement, transcriptRequest } from "../support/organization.ts";
import { pgBouncerPackages, startPgBouncer } from "../support/pgbouncer.ts";
import { startTestPostgres } from "../support/postgres.ts";
import { startSeaweedfs } from "../support/seaweedfs.ts";

/** PostgreSQL and the object store as a company's cluster has them. */

async function temporary(t: ExecutionContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "escriba-cluster-stores-"));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

const packages = await pgBouncerPackages();
(packages ? test : test.skip)(
  "everything works behind a pooler of transactions: migrations run at once, money and demand",
  async (t) => {
    const postgres = await startTestPostgres({ migrated: false });
    const pooler = await startPgBouncer(packages ?? [], postgres.url, "transaction");
    const database = createDatabase(pooler.url, { maxConnections: 8 });
    t.teardown(async () => {
      await closeDatabase(database);
      await pooler.stop();
      await postgres.stop();
    });
    const applied = await Promise.all([migrate(pooler.url), migrate(pooler.url), migrate(pooler.url)]);
    t.is(new Set(applied.flat()).size, applied.flat().length);
    const { id } = await newOrganization(database, { creditEur: "100" });
    const created = await Promise.all(
      Array.from({ length: 24 }, () =>
        createTranscript(database, transcriptRequest(id, { audioUrl: "https://example.com/a" })),
      ),
    );
    const ids = created.map((one) => (one.outcome === "ok" ? one.id : ""));
    t.false(ids.includes(""));
    t.is((await readDemand(database))[0]?.outstandingChunks, 24);
    await Promise.all(
      ids.map(async (transcript, at) => {
        if (at % 3 === 0) await settleTranscript(database, settlement(transcript, 60_000));
        else if (at % 3 === 1) await failTranscript(database, transcript, "no");
        else await recordProgress(database, transcript, { queue: "speech", chunks: 1, ms: 60_000 });
      }),
    );
    t.deepEqual(await readDemand(database), []);
  },
);

test("PostgreSQL by TLS: a certificate is checked where that is asked for, also by migrations", async (t) => {
  const directory = await temporary(t);
  const postgres = await startTestPostgres({ migrated: false });
  t.teardown(postgres.stop);
  const authority = createAuthority();
  const { cert, key } = authority.issue(["127.0.0.1", "localhost"]);
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  // Written by the server itself, whose files they must be.
  const write = (text: string, file: string) =>
    client.query(
      `COPY (SELECT unnest(string_to_array('${text.trim()}', E'\\n'))) TO PROGRAM 'umask 077; cat > ${file}'`,
    );
  await write(cert, "server.crt");
  await write(key, "server.key");
  await client.query("ALTER SYSTEM SET ssl = on");
  await client.query("SELECT pg_reload_conf()");
  await client.end();
  const [known, other] = [join(directory, "ca.crt"), join(directory, "other.crt")];
  await writeFile(known, authority.cert);
  await writeFile(other, createAuthority("another").cert);
  const by = (file: string) => `${postgres.url}?sslmode=verify-full&sslrootcert=${encodeURIComponent(file)}`;

  t.true((await migrate(by(known))).length > 3);
  const database = createDatabase(by(known));
  const rows = await database.$queryRaw<{ ssl: boolean }[]>`SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`;
  t.deepEqual(rows, [{ ssl: true }]);
  await closeDatabase(database);
  await t.throwsAsync(migrate(by(other)), { message: /certificate/ });
  const doubting = createDatabase(by(other));
  await t.throwsAsync(doubting.$queryRaw`SELECT 1`);
  await closeDatabase(doubting);
});

test("S3 by TLS of a company's authority, with the identity of a service account", async (t) => {
  const directory = await temporary(t);
  const s3 = await startSeaweedfs();
  t.teardown(s3.stop);
  const authority = createAuthority();
  const front = createTlsServer(authority.issue(["127.0.0.1"]), (incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const { hostname, port } = new URL(s3.endpoint);
    const behind = request({ hostname, port, method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(behind);
  }).listen(0, "127.0.0.1");
  // What a cloud's token service answers, with the credentials that this store knows.
  const tokens: string[] = [];
  const sts = createServer(async (incoming, outgoing) => {
    tokens.push(
      new URLSearchParams(await new Response(ReadableStream.from(incoming)).text()).get("WebIdentityToken") ?? "",
    );
    const { accessKeyId, secretAccessKey } = s3.credentials;
    outgoing.setHeader("Content-Type", "text/xml");
    outgoing.end(
      `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleWithWebIdentityResult><Credentials><AccessKeyId>${accessKeyId}</AccessKeyId><SecretAccessKey>${secretAccessKey}</SecretAccessKey><SessionToken></SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`,
    );
  }).listen(0, "127.0.0.1");
  await Promise.all([once(front, "listening"), once(sts, "listening")]);
  t.teardown(() => {
    front.close();
    sts.close();
  });
  const portOf = (server: { address(): AddressInfo | string | null }) => (server.address() as AddressInfo).port;
  await writeFile(join(directory, "ca.crt"), authority.cert);
  await writeFile(join(directory, "token"), "of-the-service-account");
  const endpoint = encodeURIComponent(`https://127.0.0.1:${portOf(front)}`);
  const script = `
    import { openStore } from ${JSON.stringify(new URL("../../storage/open-store.ts", import.meta.url).href)};
    import { text } from "node:stream/consumers";
    const store = openStore("s3://${s3.bucket}/x?endpoint=${endpoint}");
    await store.check();
    await store.put("a", "hello");
    console.log(await text(await store.get("a")));
    process.exit(0);`;
  const run = (env: Record<string, string>) =>
    promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], {
      env: {
        PATH: process.env.PATH ?? "",
        HOME: directory,
        AWS_ROLE_ARN: "arn:aws:iam::1:role/escriba",
        AWS_WEB_IDENTITY_TOKEN_FILE: join(directory, "token"),
        AWS_ENDPOINT_URL_STS: `http://127.0.0.1:${portOf(sts)}`,
        AWS_REGION: "us-east-1",
        AWS_EC2_METADATA_DISABLED: "true",
        ...env,
      },
    });
  const { stdout } = await run({ NODE_EXTRA_CA_CERTS: join(directory, "ca.crt") });
  t.is(stdout, "hello\n");
  t.deepEqual(tokens, ["of-the-service-account"]);
  await t.throwsAsync(run({}), { message: /certificate/ });
});
