import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type ExecutionContext } from "ava";
import { Child, ChildCrashed, ChildFailure, type ChildOptions } from "../../process/child-process.ts";

const start = (t: ExecutionContext, options: Partial<ChildOptions> = {}) => {
  const child = new Child<{ task: string; to?: number }, number, unknown>(
    new URL("./child-process-fixture.ts", import.meta.url),
    { silenceMs: 30_000, env: { SHOWN: "yes" }, ...options },
  );
  t.teardown(() => child.close());
  return child;
};

test("answers calls one behind the other, with their progress", async (t) => {
  const child = start(t);
  const seen: number[] = [];
  const calls = [2, 3].map((to) => child.call({ task: "count", to }, { onProgress: (n) => seen.push(n) }));
  t.deepEqual(await Promise.all(calls), [2, 3]);
  t.deepEqual(seen, [1, 2, 1, 2, 3]);
});

test("gives the child the named environment and nothing else", async (t) => {
  const { variables } = (await start(t).call({ task: "describe" })) as { variables: string[] };
  t.deepEqual(
    variables.filter((name) => !name.startsWith("NODE_CHANNEL")),
    ["SHOWN"],
  );
});

test("compiled code is shared with the children of a process that keeps it", (t) => {
  const cache = mkdtempSync(join(tmpdir(), "escriba-compiled-"));
  t.teardown(() => rmSync(cache, { recursive: true, force: true }));
  const program = `
    import { keepCompiledCode } from ${JSON.stringify(new URL("../../process/compile-cache.ts", import.meta.url).href)};
    import { Child } from ${JSON.stringify(new URL("../../process/child-process.ts", import.meta.url).href)};
    keepCompiledCode(process.env);
    const module = new URL(${JSON.stringify(new URL("./child-process-fixture.ts", import.meta.url).href)});
    const child = new Child(module, { silenceMs: 30_000, env: {} });
    console.log(JSON.stringify(await child.call({ task: "describe" })));
    await child.close();
  `;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    env: { XDG_CACHE_HOME: cache },
    encoding: "utf8",
  });
  t.true(JSON.parse(stdout).variables.includes("NODE_COMPILE_CACHE"));
  const kept = readdirSync(join(cache, "escriba", "compiled"), { recursive: true });
  t.true(kept.length > 2, kept.join(" "));
});

test("a failure keeps its name and message, and the child lives on", async (t) => {
  const child = start(t);
  await child.call({ task: "count", to: 1 });
  const { pid } = child;
  const failure = await t.throwsAsync(child.call({ task: "fail" }), { instanceOf: ChildFailure });
  t.is((failure as ChildFailure).kind, "NoSuchThing");
  t.is(failure?.message, "no such thing");
  t.is(await child.call({ task: "count", to: 4 }), 4);
  t.is(child.pid, pid);
});

test("a death rejects with what the child last wrote, and the next call has a new child", async (t) => {
  const child = start(t);
  const crash = await t.throwsAsync(child.call({ task: "die" }), { instanceOf: ChildCrashed });
  t.regex(crash?.message ?? "", /SIGKILL/);
  t.regex((crash as ChildCrashed).stderr, /about to die/);
  t.is(await child.call({ task: "count", to: 2 }), 2);
});

test("silence is a crash", async (t) => {
  const child = start(t, { silenceMs: 300 });
  await t.throwsAsync(child.call({ task: "hang" }), { instanceOf: ChildCrashed, message: /silent for 300 ms/ });
});

test("an abort ends the running call, not those behind it", async (t) => {
  const child = start(t);
  const abort = new AbortController();
  const hung = child.call({ task: "hang" }, { signal: abort.signal });
  const next = child.call({ task: "count", to: 1 });
  abort.abort(new Error("deleted"));
  await t.throwsAsync(hung, { message: "deleted" });
  t.is(await next, 1);
});

test("a closed child takes no more calls", async (t) => {
  const child = start(t);
  t.is(await child.call({ task: "count", to: 1 }), 1);
  const { pid } = child;
  await child.close();
  await t.throwsAsync(child.call({ task: "count", to: 1 }), { message: /closed/ });
  t.throws(() => process.kill(pid as number, 0), { code: "ESRCH" });
});

test("calls that may run side by side do, and one more waits its turn", async (t) => {
  const child = start(t, { calls: 2, abort: "ask" });
  const first = new AbortController();
  const waiting = [first, new AbortController()].map((abort) => ({
    abort,
    begun: Promise.withResolvers<void>(),
  }));
  const calls = waiting.map(({ abort, begun }) =>
    child.call({ task: "wait" }, { signal: abort.signal, onProgress: () => begun.resolve() }),
  );
  await Promise.all(waiting.map(({ begun }) => begun.promise));
  const third = child.call({ task: "count", to: 1 });
  const { pid } = child;
  first.abort(new Error("gone"));
  await t.throwsAsync(calls[0] as Promise<unknown>, { message: "gone" });
  t.is(await third, 1);
  t.is(child.pid, pid, "asking to stop leaves the process and the other call alone");
  waiting[1]?.abort.abort(new Error("gone too"));
  await t.throwsAsync(calls[1] as Promise<unknown>, { message: "gone too" });
});

test("a child at rest has no process until it is called again", async (t) => {
  const child = start(t);
  t.is(await child.call({ task: "count", to: 1 }), 1);
  const pid = child.pid as number;
  await child.rest();
  t.throws(() => process.kill(pid, 0), { code: "ESRCH" });
  t.is(await child.call({ task: "count", to: 2 }), 2);
  t.not(child.pid, pid);
});
