import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { StateInUse, takeLock } from "../../embedded/lock.ts";

const nothing = () => undefined;

async function lockPath(): Promise<string> {
  return join(await mkdtemp(join(tmpdir(), "escriba-lock-")), "stack.lock");
}

/** A process that takes the lock, writes down a child of its own, and waits to be killed. */
async function holder(path: string): Promise<{ process: ChildProcess; child: number }> {
  const module = new URL("../../embedded/lock.ts", import.meta.url).href;
  const holding = spawn(
    process.execPath,
    [
      "--input-type=module",
      "-e",
      `import { spawn } from "node:child_process";
       import { takeLock } from ${JSON.stringify(module)};
       const lock = await takeLock(${JSON.stringify(path)}, () => {});
       const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { detached: true, stdio: "ignore" });
       await lock.addChild("server", child.pid);
       console.log(child.pid);`,
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const [line] = (await once(holding.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  return { process: holding, child: Number(line.toString()) };
}

test("a directory that a living stack holds is refused, with its process and file named", async (t) => {
  const path = await lockPath();
  const lock = await takeLock(path, nothing);
  const error = await t.throwsAsync(takeLock(path, nothing), { instanceOf: StateInUse });
  t.true(error.message.includes(String(process.pid)));
  t.true(error.message.includes(path));
  await lock.release();
  await (await takeLock(path, nothing)).release();
});

test("of many that ask at once, one gets it", async (t) => {
  const path = await lockPath();
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => takeLock(path, nothing)));
  t.is(outcomes.filter(({ status }) => status === "fulfilled").length, 1);
});

test("a killed stack's lock is taken over and what it left running is ended", async (t) => {
  const path = await lockPath();
  const held = await holder(path);
  held.process.kill("SIGKILL");
  await once(held.process, "exit");
  t.notThrows(() => process.kill(held.child, 0));
  const leftovers: string[] = [];
  const lock = await takeLock(path, ({ name, pid }) => leftovers.push(`${name} ${pid}`));
  t.deepEqual(leftovers, [`server ${held.child}`]);
  // Ended, or a zombie that nobody has collected yet.
  const state = await readFile(`/proc/${held.child}/stat`, "utf8").catch(() => "gone");
  t.regex(state, /^gone$|\) Z /);
  await lock.release();
});

test("a process that has the holder's number but began at another time does not hold the lock", async (t) => {
  const path = await lockPath();
  const other = { name: "stack", pid: process.pid, started: "another boot" };
  await writeFile(path, JSON.stringify({ holder: other, children: [{ ...other, name: "server" }] }));
  const leftovers: unknown[] = [];
  const lock = await takeLock(path, (child) => leftovers.push(child));
  t.deepEqual(leftovers, []);
  await lock.release();
});

test("a file that is no lock is never removed", async (t) => {
  const path = await lockPath();
  await writeFile(path, "my notes");
  const error = await t.throwsAsync(takeLock(path, nothing), { instanceOf: StateInUse });
  t.true(error.message.includes(path));
  t.is(await readFile(path, "utf8"), "my notes");
});
