import { readConfig as readApi } from "../../api/config.ts";
import { commands } from "../../cli/commands.ts";
import { readSettings } from "../../process/settings.ts";
import { workerConfig } from "../../workflows/config.ts";
import { clusterTest } from "../cluster/tier.ts";
import { containersOf, EXAMPLES, podsOf, render, valuesOf } from "./rendered.ts";

const test = clusterTest(["helm"]);

/** What the Secrets of an installation hold, by the variable that reads them. */
const SECRETS: Record<string, string> = {
  ESCRIBA_DATABASE_URL: "postgresql://escriba:password@db.example.com:5432/escriba",
  ESCRIBA_SECRETS_KEY: Buffer.alloc(32, 1).toString("base64"),
  ESCRIBA_DEMAND_TOKEN: "demand",
  ESCRIBA_DRAIN_TOKEN: "drain",
  ESCRIBA_TEMPORAL_API_KEY: "key",
  ESCRIBA_INFERENCE_API_KEY: "key",
  ESCRIBA_SMTP_URL: "smtps://user:password@mail.example.com:465",
  ESCRIBA_UPSTREAMS: JSON.stringify({ "service-llm-1-small": { url: "http://vllm:8000/v1", model: "qwen" } }),
  ESCRIBA_OTLP_HEADERS: "authorization=Bearer token",
  AWS_ACCESS_KEY_ID: "id",
  AWS_SECRET_ACCESS_KEY: "secret",
};

interface Entry {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef?: object; fieldRef?: object; resourceFieldRef?: object };
}

/** The environment as the container's process sees it. */
function environmentOf(entries: Entry[]): Record<string, string> {
  return Object.fromEntries(
    entries.map(({ name, value, valueFrom }) => {
      if (valueFrom?.secretKeyRef) {
        const secret = SECRETS[name];
        if (secret === undefined) throw new Error(`the chart takes ${name} from a Secret, and this test knows no such`);
        return [name, secret];
      }
      return [name, valueFrom?.resourceFieldRef ? "2" : valueFrom ? "escriba" : (value ?? "")];
    }),
  );
}

/** Settings that the process leaves to Node or to a library. */
const FOREIGN = /^(NODE_|AWS_|OTEL_|HTTPS?_PROXY$|NO_PROXY$|HOME$)/;

const SETS: Record<string, object> = {
  everything: {
    inference: { enabled: true, authenticate: true, gguf: "/models/own/model.gguf" },
    upstreams: { fromSecret: true },
    mail: { enabled: true },
    ca: { secret: "authorities" },
    proxy: { https: "http://proxy.example.com:3128" },
    temporal: { tls: { enabled: true, serverName: "temporal", existingSecret: "temporal" }, apiKey: { enabled: true } },
    tracing: { endpoint: "http://collector:4318", ratio: 0.25, headersFromSecret: true },
    modelCache: { prefetch: "process", hub: "https://hub.example.com" },
    api: {
      trustedProxies: ["10.0.0.0/8"],
      corsOrigin: "https://panel.example.com",
      docsUrl: "https://docs.example.com",
    },
    webhooks: { networks: ["10.1.0.0/16"] },
    fetch: { networks: ["10.2.0.0/16", "fd00::/64"] },
    speech: { device: "cuda:0", fastModel: "parakeet-tdt-0.6b-v3", speakerModel: "none", threads: 4 },
  },
  pool: {
    inference: { enabled: true },
    language: { mode: "pool", patience: 1.5, server: { image: { repository: "vllm/vllm-openai" }, model: "qwen" } },
  },
};

/** What the process of a container would not know or not accept of its environment. */
async function faultsOf({ args, env }: { args: string[]; env?: Entry[] }): Promise<string[]> {
  const environment = environmentOf(env ?? []);
  const entry = commands.find(({ name }) => args.join(" ").startsWith(name));
  if (!entry) return [`there is no command ${args.join(" ")}`];
  const { settings } = await entry.load();
  const own = Object.keys(environment).filter((variable) => !FOREIGN.test(variable));
  const unknown = own.filter((variable) => !Object.hasOwn(settings?.shape ?? {}, variable));
  const faults = unknown.map((variable) => `${variable} is no setting of ${entry.name}`);
  try {
    if (settings) readSettings(settings, environment);
    if (entry.name === "worker") workerConfig(environment);
  } catch (error) {
    faults.push((error as Error).message);
  }
  return faults;
}

for (const name of ["default", ...EXAMPLES, ...Object.keys(SETS)]) {
  test(`${name}: every variable of every container is a setting of its process, which accepts it`, async (t) => {
    const values = SETS[name];
    const objects = await render(values ? { values } : { files: valuesOf(name) });
    const faults: string[] = [];
    let looked = 0;
    for (const pod of podsOf(objects)) {
      for (const container of containersOf(pod)) {
        if (container.command?.[0] !== "escriba") continue;
        looked++;
        faults.push(...(await faultsOf(container)).map((fault) => `${pod.of} ${container.name}: ${fault}`));
      }
    }
    t.deepEqual(faults, []);
    t.true(looked > 5);
  });
}

test("speech serves both its queues, and each other worker its own", async (t) => {
  const objects = await render({ files: valuesOf("production") });
  const served = podsOf(objects).flatMap((pod) => {
    const [main] = pod.spec.containers;
    if (main.args[0] !== "worker") return [];
    return [[pod.component, [...workerConfig(environmentOf(main.env)).queues]]];
  });
  t.deepEqual(Object.fromEntries(served), {
    fetch: ["fetch"],
    language: ["language"],
    media: ["media"],
    speech: ["speech", "speech-short"],
    transcripts: ["transcripts"],
    webhooks: ["webhooks"],
  });
});

test("the small models answer for every id, except where a server of one's own is named", async (t) => {
  const own = { "service-llm-1-large": { url: "http://vllm.models:8000/v1", model: "large" } };
  const objects = await render({ values: { inference: { enabled: true }, upstreams: { servers: own } } });
  const api = podsOf(objects).find(({ component }) => component === "api");
  const upstreams = readApi(environmentOf(api?.spec.containers[0].env)).ESCRIBA_UPSTREAMS;
  t.deepEqual(Object.keys(upstreams).sort(), ["service-embed-1", "service-llm-1-large", "service-llm-1-small"]);
  t.is(upstreams["service-llm-1-small"]?.url, "http://escriba-inference:8090/v1");
  t.is(upstreams["service-llm-1-large"]?.url, "http://vllm.models:8000/v1");
});
