import type { ExecutionContext, TestFn } from "ava";
import { ApiError, isCode, type KubernetesApi } from "../../../operator/kubernetes/api.ts";
import type { Lease, Pod, WatchEvent, WorkerPoolObject } from "../../../operator/kubernetes/objects.ts";
import { apiVersion, LEASES, PODS, WORKER_POOLS } from "../../../operator/kubernetes/resources.ts";

/** An API server to hold to the contract: with the definition of WorkerPools, and a namespace to itself. */
export interface Opened {
  api: KubernetesApi;
  namespace: string;
}

/**
 * What the operator relies on in an API server, as tests. The in-memory one of the histories and the real one pass the
 * same ones, so that what histories prove holds for a cluster.
 */
export function kubernetesContract(test: TestFn, name: string, open: (t: ExecutionContext) => Promise<Opened>): void {
  const contract = (title: string, run: (t: ExecutionContext, opened: Opened) => Promise<void>) =>
    test(`${name}: ${title}`, async (t) => run(t, await open(t)));

  contract("what is created is there, once, and has an identity", async (t, { api, namespace }) => {
    const created = await api.create(PODS, pod(namespace, "one"));
    t.truthy(created.metadata.uid);
    t.regex(created.metadata.resourceVersion ?? "", /^\d+$/);
    t.deepEqual(await api.get(PODS, namespace, "one"), created);
    const again = await refused(t, api.create(PODS, pod(namespace, "one")));
    t.like(again, { code: 409, reason: "AlreadyExists" });
    t.like(await refused(t, api.get(PODS, namespace, "two")), { code: 404, reason: "NotFound" });
  });

  contract("a dry run leaves nothing", async (t, { api, namespace }) => {
    await api.create(PODS, pod(namespace, "dry"), { dryRun: true });
    t.true(isCode(await refused(t, api.get(PODS, namespace, "dry")), 404));
  });

  contract("a list has the label and the namespace that were asked for", async (t, { api, namespace }) => {
    await api.create(PODS, pod(namespace, "with", { "escriba.dev/pool": "a" }));
    await api.create(PODS, pod(namespace, "without"));
    const names = async (labels?: string) =>
      (await api.list(PODS, { namespace, labels })).items.map(({ metadata }) => metadata.name).sort();
    t.deepEqual(await names(), ["with", "without"]);
    t.deepEqual(await names("escriba.dev/pool"), ["with"]);
    t.deepEqual(await names("escriba.dev/pool=b"), []);
  });

  contract("a replacement of an old version is refused, and versions grow", async (t, { api, namespace }) => {
    const first = await api.create(LEASES, lease(namespace, "a"));
    const second = await api.replace(LEASES, { ...first, spec: { ...first.spec, holderIdentity: "b" } });
    t.true(BigInt(second.metadata.resourceVersion as string) > BigInt(first.metadata.resourceVersion as string));
    const late = api.replace(LEASES, { ...first, spec: { ...first.spec, holderIdentity: "c" } });
    t.like(await refused(t, late), { code: 409, reason: "Conflict" });
    t.is((await api.get(LEASES, namespace, "lease")).spec.holderIdentity, "b");
  });

  contract("a write that changes nothing makes no version", async (t, { api, namespace }) => {
    const first = await api.create(LEASES, lease(namespace, "a"));
    const same = await api.replace(LEASES, first);
    t.is(same.metadata.resourceVersion, first.metadata.resourceVersion);
  });

  contract("status and spec of a pool are written apart", async (t, { api, namespace }) => {
    const created = await api.create(WORKER_POOLS, pool(namespace, { replicas: 2 }));
    t.is(created.metadata.generation, 1);
    const status = { replicas: 5, readyReplicas: 3 };
    const told = await api.replaceStatus(WORKER_POOLS, {
      ...created,
      spec: pool(namespace, { replicas: 9 }).spec,
      status,
    });
    t.like(told, { spec: { replicas: 2 }, status });
    t.is(told.metadata.generation, 1);
    const spec = { ...(told.spec as object), replicas: 3 };
    const changed = await api.replace(WORKER_POOLS, { ...told, spec, status: { replicas: 0 } });
    t.like(changed, { spec: { replicas: 3 }, status });
    t.is(changed.metadata.generation, 2);
    const late = api.replaceStatus(WORKER_POOLS, { ...told, status: { replicas: 1 } });
    t.true(isCode(await refused(t, late), 409));
  });

  contract("the scale subresource sets replicas, of the version it names", async (t, { api, namespace }) => {
    const created = await api.create(WORKER_POOLS, pool(namespace, { replicas: 0 }));
    const { name, uid, resourceVersion } = created.metadata;
    const scale = (version: string | undefined, replicas: number) =>
      api.replaceScale(WORKER_POOLS, {
        apiVersion: "autoscaling/v1",
        kind: "Scale",
        metadata: { name, namespace, ...(uid && { uid }), ...(version && { resourceVersion: version }) },
        spec: { replicas },
      });
    const scaled = await scale(resourceVersion, 4);
    const now = await api.get(WORKER_POOLS, namespace, name);
    t.like(now.spec, { replicas: 4 });
    t.is(scaled.metadata.resourceVersion, now.metadata.resourceVersion);
    t.true(isCode(await refused(t, scale(resourceVersion, 7)), 409));
    await t.notThrowsAsync(api.replaceStatus(WORKER_POOLS, { ...now, status: { replicas: 4 } }));
  });

  contract("a merge patch adds, removes and heeds the version", async (t, { api, namespace }) => {
    const created = await api.create(PODS, pod(namespace, "patched"));
    const annotations = { "escriba.dev/a": "1", "escriba.dev/b": "2" };
    const { resourceVersion } = created.metadata;
    const first = await api.patch(PODS, namespace, "patched", { metadata: { resourceVersion, annotations } });
    t.like(first.metadata.annotations, annotations);
    const late = api.patch(PODS, namespace, "patched", { metadata: { resourceVersion, annotations: { c: "3" } } });
    t.true(isCode(await refused(t, late), 409));
    const second = await api.patch(PODS, namespace, "patched", {
      metadata: { annotations: { "escriba.dev/a": null } },
    });
    t.deepEqual(second.metadata.annotations, { "escriba.dev/b": "2" });
  });

  contract("a deletion is refused unless it is this object in this version", async (t, { api, namespace }) => {
    const created = await api.create(PODS, pod(namespace, "doomed"));
    const { uid = "", resourceVersion = "" } = created.metadata;
    const remove = (of: { uid: string; resourceVersion: string }) => api.delete(PODS, namespace, "doomed", of);
    t.true(isCode(await refused(t, remove({ uid: "00000000-0000-0000-0000-000000000000", resourceVersion })), 409));
    await api.patch(PODS, namespace, "doomed", { metadata: { annotations: { "escriba.dev/undrained-at": "now" } } });
    t.true(isCode(await refused(t, remove({ uid, resourceVersion })), 409));
    const present = await api.get(PODS, namespace, "doomed");
    await remove({ uid, resourceVersion: present.metadata.resourceVersion as string });
    // Never scheduled, so nothing has to end first.
    t.true(isCode(await refused(t, api.get(PODS, namespace, "doomed")), 404));
    t.true(isCode(await refused(t, remove({ uid, resourceVersion })), 404));
  });

  contract("a watch tells what came after a list, and ends when asked", async (t, { api, namespace }) => {
    await api.create(PODS, pod(namespace, "before"));
    const { resourceVersion } = await api.list(PODS, { namespace });
    const made = await api.create(PODS, pod(namespace, "after"));
    const end = new AbortController();
    const seen: WatchEvent<Pod>[] = [];
    for await (const event of api.watch(PODS, { namespace, resourceVersion }, end.signal)) {
      // A real server may first mark what it deletes.
      if (event.type === "BOOKMARK" || event.type === "MODIFIED") continue;
      seen.push(event);
      if (event.type === "ADDED") {
        const { uid = "", resourceVersion: version = "" } = event.object.metadata;
        await api.delete(PODS, namespace, "after", { uid, resourceVersion: version });
      }
      if (event.type === "DELETED") end.abort();
    }
    t.deepEqual(
      seen.map(({ type, object }) => [type, object.metadata.name, object.metadata.uid]),
      [
        ["ADDED", "after", made.metadata.uid],
        ["DELETED", "after", made.metadata.uid],
      ],
    );
    const gone = BigInt(seen[1]?.object.metadata.resourceVersion as string);
    t.true(gone > BigInt(made.metadata.resourceVersion as string), "a deletion is a version of its own");
  });
}

async function refused(t: ExecutionContext, call: Promise<unknown>): Promise<ApiError> {
  return (await t.throwsAsync(call, { instanceOf: ApiError })) as ApiError;
}

function pod(namespace: string, name: string, labels: Record<string, string> = {}): Pod {
  return {
    apiVersion: apiVersion(PODS),
    kind: PODS.kind,
    metadata: { name, namespace, labels },
    // No scheduler takes it, so that it stays as it is.
    spec: { schedulerName: "nobody", containers: [{ name: "worker", image: "example.invalid/worker" }] },
  };
}

function lease(namespace: string, holderIdentity: string): Lease {
  return {
    apiVersion: apiVersion(LEASES),
    kind: LEASES.kind,
    metadata: { name: "lease", namespace },
    spec: { holderIdentity, leaseDurationSeconds: 15 },
  };
}

function pool(namespace: string, spec: { replicas: number }): WorkerPoolObject {
  return {
    apiVersion: apiVersion(WORKER_POOLS),
    kind: WORKER_POOLS.kind,
    metadata: { name: "pool", namespace },
    spec: {
      queues: ["speech"],
      scaling: { mode: "Manual" },
      template: { spec: { containers: [{ name: "worker", image: "example.invalid/worker" }] } },
      ...spec,
    },
  };
}
