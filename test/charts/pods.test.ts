import { parseWorkerPool } from "../../operator/workerpool/types.ts";
import { clusterTest } from "../cluster/tier.ts";
import {
  called,
  containersOf,
  EXAMPLES,
  type KubernetesObject,
  type Pod,
  podsOf,
  render,
  valuesOf,
} from "./rendered.ts";

const test = clusterTest(["helm"]);

/** Values that turn on what the examples leave out. */
const EVERYTHING = {
  inference: { enabled: true },
  language: {
    mode: "pool",
    server: {
      image: { repository: "vllm/vllm-openai", tag: "v0" },
      model: "qwen",
      resources: { limits: { memory: "8Gi" } },
    },
  },
  temporal: { tls: { enabled: true, existingSecret: "temporal" }, apiKey: { enabled: true } },
};

const SETS: Record<string, Promise<Pod[]>> = {};
const podsFor = (name: string) => {
  SETS[name] ??= render(name === "everything" ? { values: EVERYTHING } : { files: valuesOf(name) }).then(podsOf);
  return SETS[name] as Promise<Pod[]>;
};

for (const name of ["default", ...EXAMPLES, "everything"]) {
  test(`${name}: every pod meets the restricted pod security standard, with a read-only root`, async (t) => {
    for (const pod of await podsFor(name)) {
      const { securityContext, hostNetwork, hostPID, hostIPC, volumes } = pod.spec;
      t.is(securityContext?.runAsNonRoot, true, pod.of);
      t.is(securityContext?.seccompProfile?.type, "RuntimeDefault", pod.of);
      t.falsy(hostNetwork || hostPID || hostIPC, pod.of);
      t.false(
        (volumes as object[]).some((volume) => "hostPath" in volume),
        pod.of,
      );
      for (const container of containersOf(pod)) {
        const told = `${pod.of} ${container.name}`;
        const { allowPrivilegeEscalation, capabilities, privileged, readOnlyRootFilesystem } =
          container.securityContext;
        t.is(allowPrivilegeEscalation, false, told);
        t.deepEqual(capabilities?.drop, ["ALL"], told);
        t.falsy(capabilities?.add || privileged, told);
        if (container.name !== "model-server") t.is(readOnlyRootFilesystem, true, told);
      }
    }
  });

  test(`${name}: only the operator and the CRD Job hold a token of the Kubernetes API`, async (t) => {
    for (const { of, component, spec } of await podsFor(name)) {
      t.is(spec.automountServiceAccountToken, component === "operator" || component === "crds", of);
    }
  });

  test(`${name}: speech and media hold no database, no webhook key and no mail secret`, async (t) => {
    const pods = (await podsFor(name)).filter(({ component }) => component === "speech" || component === "media");
    t.is(pods.length, 2);
    for (const pod of pods) {
      const names = containersOf(pod).flatMap((container) =>
        container.env.map((entry: { name: string }) => entry.name),
      );
      for (const forbidden of [
        "ESCRIBA_DATABASE_URL",
        "ESCRIBA_SECRETS_KEY",
        "ESCRIBA_SMTP_URL",
        "ESCRIBA_UPSTREAMS",
      ]) {
        t.false(names.includes(forbidden), `${pod.of} ${forbidden}`);
      }
    }
  });

  test(`${name}: every container asks for CPU and memory and has a limit of memory`, async (t) => {
    for (const pod of await podsFor(name)) {
      for (const { name: container, resources } of containersOf(pod)) {
        if (container === "model-server") continue;
        t.truthy(
          resources?.requests?.cpu && resources.requests.memory && resources.limits?.memory,
          `${pod.of} ${container}`,
        );
      }
    }
  });

  test(`${name}: what serves is probed, and its grace is longer than the process's own`, async (t) => {
    for (const pod of await podsFor(name)) {
      if (pod.spec.restartPolicy) continue;
      for (const container of pod.spec.containers) {
        for (const probe of ["startupProbe", "livenessProbe", "readinessProbe"]) {
          t.truthy(container[probe]?.httpGet, `${pod.of} ${container.name} ${probe}`);
        }
      }
      const [main] = pod.spec.containers;
      const grace = main.env.find((entry: { name: string }) => entry.name === "ESCRIBA_GRACE_SECONDS")?.value;
      if (grace === undefined) continue;
      const preStop = main.lifecycle?.preStop?.sleep?.seconds ?? 0;
      t.true(pod.spec.terminationGracePeriodSeconds >= Number(grace) + preStop + 30, pod.of);
    }
  });

  test(`${name}: no secret's value is in an argument or in the environment`, async (t) => {
    for (const pod of await podsFor(name)) {
      for (const container of containersOf(pod)) {
        t.notRegex(JSON.stringify(container.args ?? []), /token|password|secret|key/i, pod.of);
        for (const { name: variable, value, valueFrom } of container.env ?? []) {
          const secret = /(DATABASE_URL|SECRETS_KEY|TOKEN|API_KEY|SMTP_URL|ACCESS_KEY)/.test(variable);
          if (secret) t.truthy(valueFrom?.secretKeyRef?.name && valueFrom.secretKeyRef.key, `${pod.of} ${variable}`);
          else t.true(value !== undefined || valueFrom !== undefined, `${pod.of} ${variable}`);
        }
        const names = (container.env ?? []).map((entry: { name: string }) => entry.name);
        t.deepEqual(names, [...new Set(names)], "no variable twice");
      }
    }
  });

  test(`${name}: every volume that is mounted exists, and every one that exists is mounted`, async (t) => {
    for (const pod of await podsFor(name)) {
      const volumes = pod.spec.volumes.map((volume: { name: string }) => volume.name);
      const mounted = containersOf(pod).flatMap((container) =>
        (container.volumeMounts ?? []).map((mount: { name: string }) => mount.name),
      );
      t.deepEqual([...new Set(mounted)].sort(), [...volumes].sort(), pod.of);
    }
  });
}

test("every WorkerPool is one that the operator reads, with no field that its definition lacks", async (t) => {
  for (const options of [{}, { files: valuesOf("production") }, { values: EVERYTHING }]) {
    const pools = (await render(options)).filter(({ kind }) => kind === "WorkerPool");
    t.true(pools.length >= 2);
    for (const { spec, ...pool } of pools) {
      const metadata = { ...pool.metadata, uid: "0", resourceVersion: "0", generation: 1 };
      const read = parseWorkerPool({ ...pool, spec, metadata }).spec as Record<string, unknown>;
      t.deepEqual(unread(spec, read), [], called(pool as KubernetesObject));
    }
  }
});

test("a WorkerPool's slotsPerPod is what its workers will report: the slots of all its queues", async (t) => {
  for (const options of [{}, { files: valuesOf("production") }, { values: EVERYTHING }]) {
    for (const { spec, ...pool } of (await render(options)).filter(({ kind }) => kind === "WorkerPool")) {
      const env: { name: string; value?: string }[] = spec.template.spec.containers[0].env;
      const slots = spec.queues.map((queue: string) => {
        const name = `ESCRIBA_SLOTS_${queue.toUpperCase().replace("-", "_")}`;
        return Number(env.find((one) => one.name === name)?.value);
      });
      const sum = slots.reduce((all: number, one: number) => all + one, 0);
      t.is(spec.scaling.slotsPerPod, sum, called(pool as KubernetesObject));
    }
  }
});

/** Paths of fields that were dropped in reading. */
function unread(given: unknown, read: unknown, path = ""): string[] {
  if (typeof given !== "object" || given === null) return [];
  return Object.entries(given).flatMap(([name, value]) => {
    const inside = (read as Record<string, unknown> | undefined)?.[name];
    return inside === undefined ? [`${path}.${name}`] : unread(value, inside, `${path}.${name}`);
  });
}

test("a secret's name, a pod's placement and a component's own values reach the pods", async (t) => {
  const values = {
    secrets: { name: "one", drainToken: { existingSecret: "two", key: "token" } },
    defaults: { nodeSelector: { pool: "all" }, podLabels: { team: "calls" }, priorityClassName: "low" },
    speech: {
      nodeSelector: { gpu: "l4" },
      priorityClassName: "high",
      runtimeClassName: "nvidia",
      sharedMemory: "1Gi",
      kueueQueue: "gpus",
      resourceClaims: [{ name: "gpu", resourceClaimTemplateName: "gpu" }],
      settings: { ESCRIBA_LOG_LEVEL: "debug", ESCRIBA_SPEECH_BATCH: 4 },
      extraEnv: [{ name: "OMP_NUM_THREADS", value: "1" }],
    },
    global: { imageRegistry: "registry.example.com/mirror", imagePullSecrets: [{ name: "pull" }] },
    image: { digest: `sha256:${"0".repeat(64)}` },
  };
  const pods = podsOf(await render({ values }));
  const speech = pods.find(({ component }) => component === "speech");
  const api = pods.find(({ component }) => component === "api");
  t.deepEqual(speech?.spec.nodeSelector, { pool: "all", gpu: "l4" });
  t.deepEqual(api?.spec.nodeSelector, { pool: "all" });
  t.is(speech?.spec.priorityClassName, "high");
  t.is(api?.spec.priorityClassName, "low");
  t.is(speech?.spec.runtimeClassName, "nvidia");
  t.is(speech?.labels["kueue.x-k8s.io/queue-name"], "gpus");
  t.is(speech?.labels.team, "calls");
  const [container] = speech?.spec.containers ?? [];
  t.deepEqual(container.resources.claims, [{ name: "gpu" }]);
  t.is(container.image, `registry.example.com/mirror/escriba@sha256:${"0".repeat(64)}`);
  t.deepEqual(speech?.spec.imagePullSecrets, [{ name: "pull" }]);
  const env = Object.fromEntries(container.env.map((entry: { name: string }) => [entry.name, entry]));
  t.is(env.ESCRIBA_LOG_LEVEL.value, "debug");
  t.is(env.ESCRIBA_SPEECH_BATCH.value, "4");
  t.is(env.OMP_NUM_THREADS.value, "1");
  t.deepEqual(env.ESCRIBA_DRAIN_TOKEN.valueFrom.secretKeyRef, { name: "two", key: "token" });
  t.is(
    api?.spec.containers[0].env.find((entry: { name: string }) => entry.name === "ESCRIBA_DATABASE_URL").valueFrom
      .secretKeyRef.name,
    "one",
  );
});

test("the model server's image is its own: of the project's it takes neither registry nor digest", async (t) => {
  const own = { registry: "registry.example.com", digest: `sha256:${"0".repeat(64)}` };
  const language = { mode: "pool", server: { image: { repository: "vllm/vllm-openai", tag: "v0" }, model: "qwen" } };
  const imagesWith = async (global: object) => {
    const pods = podsOf(await render({ values: { image: own, language, global } }));
    const pool = pods.find(({ component }) => component === "language");
    return pool?.spec.containers.map(({ image }: { image: string }) => image);
  };
  t.deepEqual(await imagesWith({}), [`registry.example.com/escriba@${own.digest}`, "vllm/vllm-openai:v0"]);
  t.deepEqual(await imagesWith({ imageRegistry: "mirror.example.com" }), [
    `mirror.example.com/escriba@${own.digest}`,
    "mirror.example.com/vllm/vllm-openai:v0",
  ]);
});

test("a component's own value wins over the default of all, also where it is empty or false", async (t) => {
  const values = {
    defaults: { priorityClassName: "low", nodeSelector: { zone: "a" }, tolerations: [{ operator: "Exists" }] },
    api: {
      priorityClassName: "",
      tolerations: [],
      podDisruptionBudget: { enabled: false },
      serviceAccount: { create: false },
    },
  };
  const objects = await render({ values });
  const api = podsOf(objects).find(({ component }) => component === "api");
  t.is(api?.spec.priorityClassName, undefined);
  t.is(api?.spec.tolerations, undefined);
  t.deepEqual(api?.spec.nodeSelector, { zone: "a" });
  t.is(api?.spec.serviceAccountName, "default");
  const names = objects.filter(({ kind }) => kind === "PodDisruptionBudget").map(({ metadata }) => metadata.name);
  t.false(names.includes("escriba-api"));
  t.true(names.includes("escriba-fetch"));
});

test("each way to keep models mounts the right volume, written only by what fetches", async (t) => {
  const speechWith = async (modelCache: object) => {
    const pod = podsOf(await render({ values: { modelCache } })).find(({ component }) => component === "speech");
    const volume = pod?.spec.volumes.find((one: { name: string }) => one.name === "models");
    const [main] = pod?.spec.containers ?? [];
    const mount = main.volumeMounts.find((one: { name: string }) => one.name === "models");
    return { volume, readOnly: mount.readOnly ?? false, init: pod?.spec.initContainers?.[0].args.slice(0, 2) ?? null };
  };
  t.like(await speechWith({}), {
    volume: { emptyDir: { sizeLimit: "4Gi" } },
    readOnly: true,
    init: ["models", "fetch"],
  });
  t.like(await speechWith({ type: "claim", prefetch: "job" }), {
    volume: { persistentVolumeClaim: { claimName: "escriba-models" } },
    readOnly: true,
    init: ["models", "wait"],
  });
  t.like(await speechWith({ type: "hostPath", prefetch: "process" }), {
    volume: { hostPath: { path: "/var/lib/escriba/models" } },
    readOnly: false,
    init: null,
  });
  t.like(
    await speechWith({ type: "image", prefetch: "never", image: { reference: "registry.example.com/models:1" } }),
    {
      volume: { image: { reference: "registry.example.com/models:1" } },
      readOnly: true,
      init: null,
    },
  );
});
