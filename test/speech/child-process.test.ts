import test, { type ExecutionContext } from "ava";
import { Child, ChildCrashed, ChildFailure } from "../../speech/child-process.ts";

const start = (t: ExecutionContext, silenceMs = 30_000) => {
  const child = new Child<{ task: string; to?: number }, number, unknown>(
    new URL("./child-process-fixture.ts", import.meta.url),
    { silenceMs, env: { SHOWN: "yes" } },
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
  const child = start(t, 300);
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
