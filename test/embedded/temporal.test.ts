import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, Connection } from "@temporalio/client";
import test from "ava";
import { startTemporal } from "../../embedded/temporal.ts";
import { createLog } from "../../process/log.ts";
import { fetchTemporal } from "../support/temporal.ts";

const log = createLog("temporal", "silent");
let directory: string;
test.before(async () => {
  directory = await mkdtemp(join(tmpdir(), "escriba-temporal-"));
});
test.after.always(() => rm(directory, { recursive: true, force: true }));

test("a restart keeps the workflows", async (t) => {
  const options = { dbFile: join(directory, "deep", "temporal.db"), fetchBinary: fetchTemporal, log };
  const first = await startTemporal(options);
  t.regex(first.address, /^127\.0\.0\.1:\d+$/);
  const connection = await Connection.connect({ address: first.address, connectTimeout: "1m" });
  await new Client({ connection }).workflow.start("transcribe", { workflowId: "kept", taskQueue: "none" });
  await connection.close();
  await first.stop();

  const second = await startTemporal(options);
  const again = await Connection.connect({ address: second.address, connectTimeout: "1m" });
  const { status } = await new Client({ connection: again }).workflow.getHandle("kept").describe();
  t.is(status.name, "RUNNING");
  await again.close();
  await second.stop();
  await second.stop();
});

test("a port that is taken is named", async (t) => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const options = { dbFile: join(directory, "taken.db"), fetchBinary: fetchTemporal, port, log };
  await t.throwsAsync(startTemporal(options), { message: new RegExp(`port ${port}`) });
  server.close();
});

test("a server that ends at once is an error, not a wait", async (t) => {
  const options = { dbFile: join(directory, "false.db"), log };
  await t.throwsAsync(startTemporal({ ...options, binary: "/bin/false" }), {
    message: /did not start: ended with code 1/,
  });
  await t.throwsAsync(startTemporal({ ...options, binary: "/nowhere/temporal" }), {
    message: /did not start: ended with code 127\n.*not found/,
  });
});

test("a server ends with its starter, even one that was killed", async (t) => {
  const script = `
    import { startTemporal } from ${JSON.stringify(new URL("../../embedded/temporal.ts", import.meta.url).href)};
    const log = { info() {}, warn() {} };
    const server = await startTemporal({ dbFile: process.argv[1], binary: process.argv[2] || undefined, log });
    process.stdout.write(JSON.stringify([server.pid, server.address]));
    setInterval(() => undefined, 1_000);`;
  const args = ["--input-type=module", "-e", script, join(directory, "orphan.db"), await fetchTemporal()];
  const starter = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [said] = (await once(starter.stdout, "data")) as [Buffer];
  const [pid] = JSON.parse(String(said)) as [number, string];
  t.notThrows(() => process.kill(pid, 0));
  starter.kill("SIGKILL");
  while (isAlive(pid)) await sleep(50);
  t.pass();
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
