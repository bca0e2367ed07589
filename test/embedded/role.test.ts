import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import test from "ava";
import { Role, RoleFailed, type RoleOptions } from "../../embedded/role.ts";

const nothing = () => undefined;

/** A role that runs `code` in a child process. */
async function role(code: string, overrides: Partial<RoleOptions> = {}): Promise<Role<{ pid: number }>> {
  const directory = await mkdtemp(join(tmpdir(), "escriba-role-"));
  const module = join(directory, "role.mjs");
  await writeFile(module, code);
  return new Role({
    name: "clerk",
    module: pathToFileURL(module),
    args: [],
    env: {},
    logFile: join(directory, "clerk.log"),
    startMs: 20_000,
    onStarted: nothing,
    onRestart: nothing,
    onFailed: nothing,
    ...overrides,
  });
}

const WORKING = `
  process.on("disconnect", () => process.exit(0));
  process.send({ ready: { pid: process.pid } });
  setInterval(() => {}, 1000);
`;

test("a role that cannot start is named with the end of its log", async (t) => {
  const clerk = await role(`console.error("the ink is dry"); process.exit(3);`);
  const error = await t.throwsAsync(clerk.start(), { instanceOf: RoleFailed });
  t.regex(error.message, /the clerk ended with code 3.*clerk\.log:\nthe ink is dry/s);
});

test("a role that never becomes ready is given up and killed", async (t) => {
  const clerk = await role("setInterval(() => {}, 1000);", { startMs: 300 });
  await t.throwsAsync(clerk.start(), { instanceOf: RoleFailed, message: /not ready after 0.3 s/ });
});

test("a role that is killed is started again", async (t) => {
  const again = Promise.withResolvers<number>();
  const pids: number[] = [];
  const clerk = await role(WORKING, {
    onStarted: (pid) => {
      pids.push(pid);
      if (pids.length === 2) again.resolve(pid);
    },
  });
  const { pid } = await clerk.start();
  process.kill(pid, "SIGKILL");
  t.not(await again.promise, pid);
  await clerk.stop(5_000);
  t.throws(() => process.kill(pids[1] ?? 0, 0));
});

test("a role that dies again and again is given up", async (t) => {
  const failed = Promise.withResolvers<RoleFailed>();
  const clerk = await role(`process.send({ ready: { pid: process.pid } }, () => process.exit(1));`, {
    onFailed: failed.resolve,
  });
  await clerk.start();
  const error = await failed.promise;
  t.regex(error.message, /the clerk died 5 times within a minute, last it ended with code 1/);
});

test("a role that ignores the request to stop is killed when its time is over", async (t) => {
  const clerk = await role(`process.on("SIGTERM", () => {}); ${WORKING}`);
  const { pid } = await clerk.start();
  await clerk.stop(200);
  t.throws(() => process.kill(pid, 0));
});
