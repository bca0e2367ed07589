import { spawn } from "node:child_process";
import { once } from "node:events";
import { access, chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type ExecutionContext } from "ava";
import pg from "pg";
import { startPostgres } from "../../embedded/postgres.ts";
import { createLog } from "../../process/log.ts";

const log = createLog("postgres", "silent");

async function temporary(t: ExecutionContext): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "escriba-embedded-"));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  return join(dir, "postgres");
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

/** Starts a server from a process that is then killed with no chance to clean up. */
async function startAndKill(dir: string, sql?: string): Promise<{ url: string; pid: number }> {
  const starter = new URL("../../embedded/postgres.ts", import.meta.url).href;
  const script = `
    import { startPostgres } from ${JSON.stringify(starter)};
    const log = { debug() {}, warn() {} };
    const { url, pid } = await startPostgres({ dir: ${JSON.stringify(dir)}, persistent: true, log });
    console.log(JSON.stringify({ url, pid }));
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(child.stdout.setEncoding("utf8"), "data");
  const orphan = JSON.parse(String(line));
  if (sql) await query(orphan.url, sql);
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
  return orphan;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test.serial("a persistent server keeps its data and password over a restart", async (t) => {
  const dir = await temporary(t);
  const first = await startPostgres({ dir, persistent: true, log });
  await query(first.url, "CREATE TABLE kept AS SELECT 7 AS n");
  t.deepEqual(await query(first.url, "SHOW fsync"), [{ fsync: "on" }]);
  t.deepEqual(await query(first.url, "SHOW listen_addresses"), [{ listen_addresses: "127.0.0.1" }]);
  await first.stop();
  const second = await startPostgres({ dir, persistent: true, log });
  t.deepEqual(await query(second.url, "SELECT n FROM kept"), [{ n: 7 }]);
  const withoutPort = (url: string) => url.replace(/:\d+\//, "/");
  t.is(withoutPort(second.url), withoutPort(first.url));
  await second.stop();
  t.true(await exists(dir));
});

test.serial("a temporary server takes its directory with it, and stopping twice is fine", async (t) => {
  const dir = await temporary(t);
  const server = await startPostgres({ dir, persistent: false, log });
  t.true(await exists(join(dir, "data")));
  await server.stop();
  await server.stop();
  t.false(await exists(dir));
  await t.throwsAsync(() => query(server.url, "SELECT 1"));
});

test.serial("the password is asked for", async (t) => {
  const dir = await temporary(t);
  const server = await startPostgres({ dir, persistent: false, log });
  await t.throwsAsync(() => query(server.url.replace(/:[0-9a-f]+@/, ":wrong@"), "SELECT 1"), { message: /password/ });
  await server.stop();
});

test.serial("a port that is taken is named", async (t) => {
  const dir = await temporary(t);
  const blocker = createServer().listen(0, "127.0.0.1");
  await once(blocker, "listening");
  const { port } = blocker.address() as AddressInfo;
  await t.throwsAsync(() => startPostgres({ dir, port, persistent: false, log }), {
    message: `port ${port} on 127.0.0.1 is in use by another program: stop it or choose another port`,
  });
  blocker.close();
});

test.serial("a directory in use, or with something else in it, is named", async (t) => {
  const dir = await temporary(t);
  const server = await startPostgres({ dir, persistent: true, log });
  await t.throwsAsync(() => startPostgres({ dir, persistent: true, log }), {
    message: `${dir} is in use: PostgreSQL runs there as process ${server.pid}, started by process ${process.pid}; stop that one first`,
  });
  await server.stop();

  const other = await temporary(t);
  await mkdir(join(other, "data"), { recursive: true });
  await writeFile(join(other, "data", "letter.txt"), "not a database");
  await t.throwsAsync(() => startPostgres({ dir: other, persistent: true, log }), {
    message: /holds no PostgreSQL cluster: move it away/,
  });
});

test.serial(
  "a server whose starter was killed stops by itself; a start at once keeps what was committed",
  async (t) => {
    const dir = await temporary(t);
    const orphan = await startAndKill(dir, "CREATE TABLE kept AS SELECT 7 AS n");
    const server = await startPostgres({ dir, persistent: true, log });
    t.deepEqual(await query(server.url, "SELECT n FROM kept"), [{ n: 7 }]);
    t.false(isAlive(orphan.pid));
    await server.stop();
  },
);

test.serial("nothing is left of a temporary server whose starter was killed but its files", async (t) => {
  const dir = await temporary(t);
  const orphan = await startAndKill(dir);
  while (isAlive(orphan.pid)) await new Promise((resolve) => setTimeout(resolve, 20));
  t.false(await exists(join(dir, "data", "postmaster.pid")), "it was shut down, not killed");
});

test.serial("below a directory that only its owner may enter, as /root is", async (t) => {
  const dir = await temporary(t);
  const closed = join(dir, "..", "closed");
  await mkdir(closed);
  await chmod(closed, 0o700);
  const server = await startPostgres({ dir: join(closed, "postgres"), persistent: false, log });
  t.deepEqual(await query(server.url, "SELECT 1 AS n"), [{ n: 1 }]);
  await server.stop();
});
