import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, rmdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { isAlive } from "../../process/alive.ts";

const PREFIX = "escriba-node-";
const CGROUPS = "/sys/fs/cgroup";
const STATE = "state.json";

/** What the kubelet sets for the whole machine, as files below /proc/sys. */
const SYSCTLS = [
  "vm/overcommit_memory",
  "vm/panic_on_oom",
  "kernel/panic",
  "kernel/panic_on_oops",
  "kernel/keys/root_maxkeys",
  "kernel/keys/root_maxbytes",
];

/**
 * Directories that kubelet, containerd and CNI use by fixed names. In the mount namespace each is an empty one, so that
 * a kubelet or a Docker of the machine's own is not disturbed.
 */
const PRIVATE = ["/run", "/var/log", "/var/lib/kubelet"];

/** As process 1 of its namespace, a shell: it takes in processes whose parents ended, of which Node would know nothing. */
const FIRST_PROCESS = `set -e
mount --make-rshared /
for place in ${PRIVATE.join(" ")}; do mount -t tmpfs tmpfs "$place"; done
set +e
"$@"
exit $?`;

/** Eight times the default, in either version's own measure. */
const WEIGHTS = { "cpu.shares": "8192", "cpu.weight": "800" };

export interface Isolation {
  /** For the node's files; temporary ones of whatever it runs are in there too. */
  directory: string;
  cgroup: string;
  /**
   * Runs a command in network, mount and process namespaces of its own, with this process's input and output. When it
   * ends, or this process does, however that comes, everything that it started is killed by the kernel, and its mounts
   * and interfaces are gone. Answers the exit code.
   */
  run(command: readonly string[], env: Record<string, string>): Promise<number>;
  /** Puts back what a node changes of the machine, and removes its files and control groups. */
  leave(): Promise<void>;
}

/** Also removes what runs left that were killed before they could. */
export async function isolate(): Promise<Isolation> {
  await removeLeftovers();
  const directory = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
  const name = basename(directory);
  // PostgreSQL, as a user of its own, has to get through to its files.
  await chmod(directory, 0o711);
  const temporary = join(directory, "tmp");
  await mkdir(temporary);
  const sysctls = Object.fromEntries(await Promise.all(SYSCTLS.map(async (path) => [path, await sysctl(path)])));
  const made: string[] = [];
  for (const place of PRIVATE) if (!existsSync(place)) made.push(place);
  for (const place of made) await mkdir(place);
  const state: State = { sysctls, made };
  await writeFile(join(directory, STATE), JSON.stringify(state));
  for (const hierarchy of await hierarchies()) await makeCgroup(hierarchy, name);
  return {
    directory,
    cgroup: `/${name}`,
    run: async (command, env) => {
      const args = [
        // The kernel kills unshare with us, and unshare's child with it.
        ...["--pdeathsig", "KILL", "unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"],
        ...["sh", "-c", FIRST_PROCESS, "sh", ...command],
      ];
      const child = spawn("setpriv", args, {
        stdio: "inherit",
        env: { ...process.env, TMPDIR: temporary, ...env },
      });
      // Ctrl-C in a terminal reaches the command too, which ends by itself.
      const [wait, end] = [() => undefined, () => child.kill("SIGKILL")];
      process.on("SIGINT", wait).on("SIGTERM", end);
      try {
        const [code] = (await once(child, "exit")) as [number | null];
        return code ?? 1;
      } finally {
        process.off("SIGINT", wait).off("SIGTERM", end);
      }
    },
    leave: () => remove(directory),
  };
}

interface State {
  sysctls: Record<string, string>;
  /** Directories that were not there before. */
  made: string[];
}

async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue;
    const owner = Number.parseInt(name.slice(PREFIX.length), 10);
    if (!isAlive(owner)) await remove(join(tmpdir(), name));
  }
}

async function readState(directory: string): Promise<State | null> {
  return readFile(join(directory, STATE), "utf8").then(
    (text) => JSON.parse(text) as State,
    () => null,
  );
}

/** Nothing of the node runs any more: its mounts went with their namespace, so only files are removed here. */
async function remove(directory: string): Promise<void> {
  const { sysctls = {}, made = [] }: Partial<State> = (await readState(directory)) ?? {};
  for (const [path, value] of Object.entries(sysctls)) {
    if ((await sysctl(path)) !== value) await writeFile(join("/proc/sys", path), value);
  }
  for (const hierarchy of await hierarchies()) await removeCgroup(join(hierarchy, basename(directory)));
  for (const place of made) await rmdir(place).catch(() => undefined);
  await rm(directory, { recursive: true, force: true });
}

const sysctl = async (path: string) => (await readFile(join("/proc/sys", path), "utf8").catch(() => "")).trim();

/** Roots of control groups: one with the second version, one a controller with the first. */
async function hierarchies(): Promise<string[]> {
  if (existsSync(join(CGROUPS, "cgroup.controllers"))) return [CGROUPS];
  const names = await readdir(CGROUPS);
  return names.map((name) => join(CGROUPS, name)).filter((path) => existsSync(join(path, "cgroup.procs")));
}

async function makeCgroup(hierarchy: string, name: string): Promise<void> {
  await mkdir(join(hierarchy, name));
  // Of the first version, a new group may use no core and no memory until it is told.
  for (const file of ["cpuset.cpus", "cpuset.mems"]) {
    const [from, to] = [join(hierarchy, file), join(hierarchy, name, file)];
    if (existsSync(from)) await writeFile(to, await readFile(from));
  }
  // Against the machine's other processes a group counts as one of them by default, and this one is a whole node.
  for (const [file, value] of Object.entries(WEIGHTS)) {
    const path = join(hierarchy, name, file);
    if (existsSync(path)) await writeFile(path, value);
  }
}

async function removeCgroup(path: string): Promise<void> {
  if (!existsSync(path)) return;
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.isDirectory()) await removeCgroup(join(path, entry.name));
  }
  await rmdir(path);
}
