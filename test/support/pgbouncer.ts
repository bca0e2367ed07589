import { spawn } from "node:child_process";
import { chmod, cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { freePort } from "../../embedded/ports.ts";
import { endProcess } from "../../embedded/watched-process.ts";
import { debianPackages } from "../../eval/audio/debian.ts";
import { userCache } from "../../process/user-cache.ts";

const GRACE_MS = 5_000;

export interface TestPgBouncer {
  /** Of the same database, through the pooler. */
  url: string;
  stop(): Promise<void>;
}

const PACKAGES = ["pgbouncer", "libevent-2.1-7", "libc-ares2"];

/** Directories of Debian's packages, unpacked. Null, with a loud line, where they are not to be had. */
export async function pgBouncerPackages(): Promise<string[] | null> {
  const why = "PgBouncer, which the doctor is tested with, comes from Debian's packages and could not be fetched.";
  try {
    return await debianPackages(userCache(process.env), PACKAGES, why);
  } catch (error) {
    console.error(`SKIPPED, AND NOT CHECKED: ${error instanceof Error ? error.message : error}`);
    return null;
  }
}

/** A real PgBouncer in front of a PostgreSQL. */
export async function startPgBouncer(
  packages: readonly string[],
  database: string,
  mode: "session" | "transaction" | "statement",
): Promise<TestPgBouncer> {
  const directory = await mkdtemp(join(tmpdir(), "escriba-pgbouncer-"));
  // Where the user that it runs as can read it.
  for (const one of packages)
    await cp(join(one, "usr"), join(directory, "usr"), { recursive: true, verbatimSymlinks: true });
  const port = await freePort();
  const { hostname, port: to, username, password, pathname } = new URL(database);
  const settings = [
    "[databases]",
    `* = host=${hostname} port=${to}`,
    "[pgbouncer]",
    `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\npool_mode = ${mode}`,
    `auth_type = plain\nauth_file = ${join(directory, "users.txt")}\nignore_startup_parameters = extra_float_digits`,
  ];
  await writeFile(join(directory, "pgbouncer.ini"), settings.join("\n"));
  await writeFile(
    join(directory, "users.txt"),
    `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`,
  );
  await chmod(directory, 0o755);
  // It refuses to run as root.
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const child = spawn(join(directory, "usr/sbin/pgbouncer"), ["-q", join(directory, "pgbouncer.ini")], {
    env: { LD_LIBRARY_PATH: join(directory, "usr/lib", architecture()) },
    stdio: ["ignore", "ignore", "pipe"],
    ...nobody,
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const url = `postgresql://${username}:${password}@127.0.0.1:${port}${pathname}`;
  const stop = async () => {
    await endProcess(child, GRACE_MS);
    await rm(directory, { recursive: true, force: true });
  };
  for (;;) {
    if (child.exitCode !== null) {
      await stop();
      throw new Error(`PgBouncer ended: ${said}`);
    }
    const client = new pg.Client({ connectionString: url });
    const answers = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => undefined);
    if (answers) return { url, stop };
    await sleep(50);
  }
}

/** Debian's name for this machine's libraries. */
function architecture(): string {
  return process.arch === "arm64" ? "aarch64-linux-gnu" : "x86_64-linux-gnu";
}
