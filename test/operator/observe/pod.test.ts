import test from "ava";
import type { ContainerStatus, Pod, PodCondition } from "../../../operator/kubernetes/objects.ts";
import { podObservation } from "../../../operator/observation.ts";
import { observePod, workerAddress } from "../../../operator/observe/pod.ts";

const NOW = Date.parse("2026-01-01T00:10:00Z");
const AT = "2026-01-01T00:00:00Z";

function pod(status: Pod["status"], metadata: Partial<Pod["metadata"]> = {}, spec: object = {}): Pod {
  return {
    metadata: {
      name: "speech-bcdfghjklm-3",
      namespace: "n",
      uid: "u",
      resourceVersion: "7",
      creationTimestamp: AT,
      labels: { "escriba.dev/pool": "speech", "escriba.dev/template-hash": "bcdfghjklm" },
      ...metadata,
    },
    spec: {
      nodeName: "node-1",
      containers: [
        { name: "mesh-proxy", ports: [{ name: "http-envoy", containerPort: 15090 }] },
        { name: "worker", ports: [{ name: "metrics", containerPort: 9464 }] },
      ],
      ...spec,
    },
    ...(status && { status }),
  };
}

const observe = (one: Pod) =>
  podObservation.parse(observePod(one, { pool: "speech", port: "metrics", now: NOW, worker: null }));
const is = (type: string, status: PodCondition["status"], more: Partial<PodCondition> = {}): PodCondition => ({
  type,
  status,
  lastTransitionTime: AT,
  ...more,
});
const container = (name: string, state: ContainerStatus["state"], restartCount = 0): ContainerStatus => ({
  name,
  restartCount,
  ...(state && { state }),
});
const running = [
  container("mesh-proxy", { running: { startedAt: AT } }),
  container("worker", { running: { startedAt: AT } }),
];

test("a serving pod", (t) => {
  const one = pod({
    phase: "Running",
    podIP: "10.0.0.7",
    conditions: [is("PodScheduled", "True"), is("ContainersReady", "True"), is("Ready", "True")],
    containerStatuses: running,
  });
  t.deepEqual(observe(one), {
    name: "speech-bcdfghjklm-3",
    uid: "u",
    resourceVersion: "7",
    templateHash: "bcdfghjklm",
    index: 3,
    createdAt: AT,
    phase: "Running",
    reason: null,
    message: null,
    deletedAt: null,
    scheduledAt: AT,
    gated: false,
    unschedulable: null,
    ready: true,
    readyChangedAt: AT,
    running: true,
    waiting: null,
    restarts: 0,
    nodeLost: false,
    worker: null,
  });
  t.is(workerAddress(one, "metrics"), "http://10.0.0.7:9464");
  t.is(workerAddress(one, "elsewhere"), null);
  const six = { ...one, status: { ...one.status, podIP: "fd00::7" } };
  t.is(workerAddress(six, "metrics"), "http://[fd00::7]:9464");
});

test("a pod that nothing is known of yet", (t) => {
  const one = pod(undefined, {}, { nodeName: undefined });
  t.like(observe(one), { phase: "Unknown", scheduledAt: null, running: false, ready: false, waiting: null });
  t.is(workerAddress(one, "metrics"), null);
});

test("waiting for a node, and held back by a gate", (t) => {
  const waits = (reason: string) =>
    observe(
      pod(
        { phase: "Pending", conditions: [is("PodScheduled", "False", { reason, message: "0/3 nodes: no gpu" })] },
        {},
        { nodeName: undefined },
      ),
    );
  t.like(waits("Unschedulable"), { gated: false, unschedulable: { since: AT, message: "0/3 nodes: no gpu" } });
  t.like(waits("SchedulingGated"), { gated: true, unschedulable: null });
});

test("what the worker's container waits for is told before what is usual", (t) => {
  const one = observe(
    pod({
      phase: "Pending",
      initContainerStatuses: [container("models", { terminated: { exitCode: 0 } })],
      containerStatuses: [
        container("mesh-proxy", { waiting: { reason: "ContainerCreating" } }),
        container("worker", { waiting: { reason: "ImagePullBackOff", message: "not found" } }),
      ],
    }),
  );
  t.like(one, { running: false, waiting: { reason: "ImagePullBackOff", message: "not found" } });
});

test("a crash loop does not run, whatever else does in the pod", (t) => {
  const one = pod({
    phase: "Running",
    podIP: "10.0.0.7",
    containerStatuses: [
      running[0] as ContainerStatus,
      container("worker", { waiting: { reason: "CrashLoopBackOff", message: "exit 1" } }, 4),
    ],
  });
  t.like(observe(one), { running: false, restarts: 4, waiting: { reason: "CrashLoopBackOff" } });
  t.is(workerAddress(one, "metrics"), null);
});

test("a node that fell silent is told from a worker that is not ready", (t) => {
  const ready = (containers: "True" | "False", reason?: string) =>
    observe(
      pod({
        phase: "Running",
        conditions: [is("Ready", "False", reason ? { reason } : {}), is("ContainersReady", containers)],
        containerStatuses: running,
      }),
    ).nodeLost;
  t.true(ready("True"));
  t.false(ready("False"));
  t.false(ready("True", "ReadinessGatesNotReady"));
});

test("a deletion that does not end means a lost node", (t) => {
  const deleted = (at: string) => observe(pod({ phase: "Running" }, { deletionTimestamp: at }));
  t.like(deleted("2026-01-01T00:09:30Z"), { deletedAt: "2026-01-01T00:09:30Z", nodeLost: false });
  t.like(deleted("2026-01-01T00:08:00Z"), { nodeLost: true });
});

test("a pod of another name has no number", (t) => {
  t.is(observe(pod({ phase: "Running" }, { name: "speech-bcdfghjklm-03" })).index, null);
});
