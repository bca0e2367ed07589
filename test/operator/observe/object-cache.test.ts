import test from "ava";
import { ApiError, type KubernetesApi } from "../../../operator/kubernetes/api.ts";
import type { Pod } from "../../../operator/kubernetes/objects.ts";
import { PODS } from "../../../operator/kubernetes/resources.ts";
import { ObjectCache } from "../../../operator/observe/object-cache.ts";
import { ObjectCaches } from "../../../operator/observe/object-caches.ts";
import { VirtualClock } from "../model/clock.ts";
import { MemoryApi } from "../model/memory-api.ts";

const pod = (name: string, namespace = "n"): Pod => ({ metadata: { name, namespace }, spec: { containers: [] } });

/** The memory's API with some of its calls replaced. */
function replaced(api: MemoryApi, calls: Partial<KubernetesApi>): KubernetesApi {
  const own = calls as Record<string, unknown>;
  return new Proxy<KubernetesApi>(api, {
    get: (_, verb: keyof KubernetesApi) => own[verb] ?? api[verb].bind(api),
  });
}

function setUp(change: (api: MemoryApi) => Partial<KubernetesApi> = () => ({})) {
  const clock = new VirtualClock();
  const api = new MemoryApi(clock);
  const heard: string[] = [];
  const faults: string[] = [];
  const parts = {
    api: replaced(api, change(api)),
    clock,
    random: () => 0.5,
    onChange: ({ metadata }: Pod) => heard.push(metadata.name),
    onFault: (error: unknown) => faults.push((error as Error).message),
  };
  const cache = new ObjectCache(
    PODS,
    { namespace: "n" },
    { ...parts, onChange: (object) => parts.onChange(object as Pod) },
  );
  const end = new AbortController();
  const names = () => [...cache].map(({ metadata }) => metadata.name).sort();
  return { clock, api, cache, heard, faults, names, run: () => cache.run(end.signal), end, parts };
}

test("a list, then what is heard", async (t) => {
  const { clock, api, cache, names, heard, run, end } = setUp();
  await api.create(PODS, pod("a"));
  const running = run();
  t.is(cache.listedAt, undefined);
  await clock.advance(10);
  t.deepEqual(names(), ["a"]);
  await api.create(PODS, pod("b"));
  await api.create(PODS, pod("elsewhere", "m"));
  api.remove(PODS, pod("a"));
  await clock.advance(10);
  t.deepEqual(names(), ["b"]);
  t.deepEqual(heard, ["a", "b", "a"]);
  end.abort();
  await running;
});

test("a watch that is silent costs half a minute at most", async (t) => {
  const silent = async function* (_resource: unknown, _scope: unknown, signal: AbortSignal) {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
  };
  const { clock, api, names, heard, run } = setUp(() => ({ watch: silent as unknown as KubernetesApi["watch"] }));
  void run();
  await clock.advance(10);
  await api.create(PODS, pod("a"));
  await clock.advance(29_000);
  t.deepEqual(names(), []);
  await clock.advance(2_000);
  t.deepEqual(names(), ["a"]);
  t.deepEqual(heard, ["a"]);
});

test("every end of a watch is followed by a list, and a server that cannot watch is not hurried", async (t) => {
  let lists = 0;
  const { clock, faults, run } = setUp((api) => ({
    list: (resource, scope) => {
      lists += 1;
      return api.list(resource, scope);
    },
    // biome-ignore lint/correctness/useYield: it breaks before its first event
    async *watch() {
      throw new ApiError(500, "InternalError", "no watch today");
    },
  }));
  void run();
  await clock.advance(60_000);
  t.true(lists >= 6 && lists <= 12, `${lists} lists`);
  t.is(faults.length, lists);
});

test("410 is mended by a list and is no fault", async (t) => {
  let first = true;
  const { clock, api, names, faults, run } = setUp((memory) => ({
    watch: (resource, scope, signal) => {
      if (!first) return memory.watch(resource, scope, signal);
      first = false;
      throw new ApiError(410, "Expired", "too old");
    },
  }));
  void run();
  await clock.advance(10);
  await api.create(PODS, pod("a"));
  await clock.advance(2_000);
  t.deepEqual([names(), faults], [["a"], []]);
});

test("a list out of the past is not believed, unless the store itself has gone back", async (t) => {
  let past: Awaited<ReturnType<KubernetesApi["list"]>> | undefined;
  const { clock, api, cache, names, faults, run } = setUp((memory) => ({
    list: async (resource, scope) => (past ?? memory.list(resource, scope)) as never,
  }));
  void run();
  await clock.advance(10);
  past = await api.list(PODS, { namespace: "n" });
  await api.create(PODS, pod("a"));
  await clock.advance(31_000);
  t.deepEqual(names(), ["a"]);
  t.regex(faults[0] ?? "", /older than what was seen before/);
  const before = cache.listedAt ?? 0;
  await clock.advance(60_000);
  t.true((cache.listedAt ?? 0) > before, "for so long is no accident");
});

test("a first list that is older than what else was seen is not believed either", async (t) => {
  const { clock, api, cache, names, run } = setUp();
  await api.create(PODS, pod("a"));
  cache.notBefore(100n);
  void run();
  await clock.advance(20_000);
  t.deepEqual([names(), cache.listedAt], [[], undefined]);
  await clock.advance(20_000);
  t.deepEqual(names(), ["a"], "it may be the count of another store");
});

test("our own writes are seen at once, and old news do not undo them", async (t) => {
  const { clock, api, cache, run } = setUp();
  void run();
  await clock.advance(10);
  const created = await api.create(PODS, pod("a"));
  cache.wrote(created);
  t.is(cache.get("n", "a"), created);
  cache.wrote({ ...created, metadata: { ...created.metadata, resourceVersion: "1", uid: "earlier" } });
  t.is(cache.get("n", "a"), created);
  cache.deleting(created, "2026-01-01T00:00:00Z");
  t.is(cache.get("n", "a")?.metadata.deletionTimestamp, "2026-01-01T00:00:00Z");
});

test("several namespaces are read as one, and others not at all", async (t) => {
  const { clock, api, parts } = setUp();
  const caches = new ObjectCaches(PODS, {}, ["n", "m"], { ...parts, onChange: () => undefined });
  t.is(caches.age, undefined);
  void caches.run(new AbortController().signal);
  await api.create(PODS, pod("a", "n"));
  await api.create(PODS, pod("b", "m"));
  await api.create(PODS, pod("c", "other"));
  await clock.advance(100);
  t.deepEqual(
    [...caches].map(({ metadata }) => metadata.name),
    ["a", "b"],
  );
  t.is(caches.get("m", "b")?.metadata.name, "b");
  t.is(caches.age, 100);
});
