import test, { type ExecutionContext } from "ava";
import type { Client } from "../../embedded/client.ts";
import { POOL_LABEL } from "../../operator/workerpool/group.ts";
import { eventually } from "../cluster/stage.ts";
import { given } from "./given.ts";
import { Installation, type Pod } from "./installation.ts";
import { type Node, pretendGpus, startNode } from "./node.ts";
import { type Posted, post } from "./recordings.ts";
import { restarts } from "./restarts.ts";
import { type Services, startServices } from "./services.ts";
import { GPUS, MOST_SPEECH_PODS } from "./values.ts";

/** The life of one installation, in order: each test begins where the one before it ended. */

const MINUTES = 60_000;
const RELEASE = "app.kubernetes.io/instance=escriba";
const SPEECH = `${POOL_LABEL}=escriba-speech`;

const parts = new AsyncDisposableStack();
let node: Node;
let services: Services;
let installation: Installation;

test.before(async () => {
  const from = given.read();
  node = await startNode(from);
  parts.defer(() => node.stop());
  await pretendGpus(node, GPUS);
  await node.plane.kubectl(["label", "node", node.name, "accelerator=nvidia-l4"]);
  services = await startServices(node.address);
  parts.defer(() => services.stop());
  installation = await Installation.prepare(node, services, from.directory, from.models);
});

test.after.always(() => parts.disposeAsync());

/** A test whose failure says what the cluster looked like. */
function story(title: string, work: (t: ExecutionContext) => Promise<void>): void {
  test.serial(title, async (t) => {
    try {
      await work(t);
    } catch (error) {
      t.log(await installation.situation());
      throw error;
    }
  });
}

/** Clients of three organizations, made when they are first asked for. */
let organizations: Promise<Client[]> | undefined;
function clients(): Promise<Client[]> {
  organizations ??= Promise.all(["norte", "sur", "este"].map((slug) => installation.organization(slug)));
  return organizations;
}

const speechPods = () => installation.pods(SPEECH);
const isReady = ({ metadata, status }: Pod) =>
  !("deletionTimestamp" in metadata) &&
  !!status.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True");

/** Waits until so many pods of the speech pool are ready and all others gone. */
const speechPodsBecome = (count: number) =>
  eventually(
    `${count} ready pods of the speech pool`,
    speechPods,
    (pods) => pods.length === count && pods.every(isReady),
    5 * MINUTES,
  );

/** Posts, and resolves when the pool is at work on it with all its pods and more waits than they hold. */
async function postUntilBusy(count: number): Promise<Posted[]> {
  const posted = await post(await clients(), count);
  await eventually(
    "a pool at work",
    () => installation.pool("escriba-speech"),
    ({ status }) =>
      status?.busyReplicas === MOST_SPEECH_PODS && (status.demand?.outstandingChunks ?? 0) > MOST_SPEECH_PODS,
    5 * MINUTES,
  );
  return posted;
}

async function allFinish(t: ExecutionContext, posted: readonly Posted[]): Promise<void> {
  const results = await Promise.allSettled(posted.map(({ finished }) => finished));
  const failures = results.flatMap((result) => (result.status === "rejected" ? [String(result.reason)] : []));
  t.deepEqual(failures, []);
  const twice = await restarts(services.temporal, "escriba", posted);
  t.log(...twice);
  t.deepEqual(twice, [], "no step was begun twice");
}

story("the chart installs as the page says: every pod becomes ready, and the doctor finds nothing", async (t) => {
  await installation.helm("install");
  const pods = await installation.pods(`${RELEASE},app.kubernetes.io/component notin (migrate,doctor)`);
  t.deepEqual(
    pods.filter((pod) => !isReady(pod)).map(({ metadata }) => metadata.name),
    [],
  );
  t.is((await speechPods()).length, 0, "nothing waits, so no GPU is taken");
  await installation.doctor();
});

story("fifty recordings of three organizations bring the pool up, are heard, and let it go to zero", async (t) => {
  const posted = await post(await clients(), 50);
  const pods = await speechPodsBecome(MOST_SPEECH_PODS);
  for (const { spec } of pods) t.is(spec.containers[0].resources.limits["nvidia.com/gpu"], "1");
  await allFinish(t, posted);
  await speechPodsBecome(0);
  t.is((await installation.pool("escriba-speech")).status?.decision?.reason, "Idle");
});

story("a new template is rolled out under work: new pods come, old ones finish what they hold", async (t) => {
  const posted = await postUntilBusy(24);
  const before = await speechPods();
  await installation.helm("upgrade", { speech: { batch: 1 } });
  const old = new Set(before.map(({ metadata }) => metadata.name));
  await eventually(
    "pods of the new template alone",
    speechPods,
    (pods) => pods.every(({ metadata }) => !old.has(metadata.name)),
    5 * MINUTES,
  );
  await allFinish(t, posted);
});

story("kubectl drain moves the pool's pods away, and no work is lost", async (t) => {
  const posted = await postUntilBusy(24);
  const drain = ["drain", node.name, "--delete-emptydir-data", `--pod-selector=${SPEECH}`, "--timeout=5m"];
  await node.plane.kubectl(drain);
  t.false((await speechPods()).some(isReady));
  await node.plane.kubectl(["uncordon", node.name]);
  await allFinish(t, posted);
});

story("helm upgrade replaces every pod under work, and no work is lost", async (t) => {
  const posted = await postUntilBusy(24);
  await installation.helm("upgrade", { defaults: { extraEnv: [{ name: "REVISION", value: "next" }] } });
  await eventually(
    "every pod of the next revision",
    () => installation.pods(`${RELEASE},app.kubernetes.io/component notin (migrate,doctor)`),
    (pods) => pods.every((pod) => isReady(pod) && isOfNextRevision(pod)),
    5 * MINUTES,
  );
  await allFinish(t, posted);
});

function isOfNextRevision({ spec }: Pod): boolean {
  const { env } = spec.containers[0] as { env: { name: string; value?: string }[] };
  return env.some(({ name, value }) => name === "REVISION" && value === "next");
}

story("helm uninstall leaves no pod and no pool", async (t) => {
  await installation.uninstall();
  await eventually(
    "no pods",
    // Helm removes no hooks: the doctor's finished pod stays for its log.
    () => installation.pods(`${RELEASE},app.kubernetes.io/component!=doctor`),
    (pods) => pods.length === 0,
    5 * MINUTES,
  );
  t.is((await installation.kubectl("get", "workerpools", "-o", "name")).trim(), "");
});
