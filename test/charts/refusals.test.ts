import { clusterTest } from "../cluster/tier.ts";
import { CHART, helm, render } from "./rendered.ts";

const test = clusterTest(["helm"]);

/** A wrong value, and what the refusal must name. */
const WRONG: [what: string, values: object, named: RegExp][] = [
  ["an unknown value", { replicas: 3 }, /'replicas' not allowed/],
  ["an unknown value of a component", { api: { replica: 3 } }, /\/api'.*'replica' not allowed/s],
  ["a text for a number", { api: { replicas: "3" } }, /\/api\/replicas/],
  ["a fraction of a pod", { webhooks: { replicas: 1.5 } }, /\/webhooks\/replicas/],
  ["no pods at most", { speech: { scaling: { maxReplicas: 0 } } }, /\/speech\/scaling\/maxReplicas/],
  ["a mode that is none", { speech: { scaling: { mode: "auto" } } }, /\/speech\/scaling\/mode.*'Auto'/s],
  [
    "a setting that no process has",
    { defaults: { settings: { ESCRIBA_NO_SUCH: 1 } } },
    /\/defaults\/settings.*ESCRIBA_NO_SUCH/s,
  ],
  [
    "another process's setting",
    { api: { settings: { ESCRIBA_SLOTS_MEDIA: 1 } } },
    /\/api\/settings.*ESCRIBA_SLOTS_MEDIA/s,
  ],
  ["an address without a port", { temporal: { address: "temporal.example.com" } }, /\/temporal\/address/],
  ["an object store of another kind", { objectStore: { url: "gs://bucket" } }, /\/objectStore\/url/],
  ["a password in the store's URL", { objectStore: { url: "s3://id:secret@bucket" } }, /\/objectStore\/url/],
  ["credentials of another kind", { objectStore: { credentials: "role" } }, /\/objectStore\/credentials/],
  [
    "an API key among the values",
    { upstreams: { servers: { "service-llm-1-small": { url: "http://a", model: "m", api_key: "k" } } } },
    /\/upstreams\/servers.*'api_key' not allowed/s,
  ],
  [
    "a server without a model",
    { upstreams: { servers: { "service-llm-1-small": { url: "http://a" } } } },
    /missing property 'model'/,
  ],
  ["a network that is none", { fetch: { networks: ["example.com"] } }, /\/fetch\/networks\/0/],
  ["a digest that is none", { image: { digest: "latest" } }, /\/image\/digest/],
  [
    "a quantity that is none",
    { speech: { resources: { requests: { cpu: "two" } } } },
    /\/speech\/resources\/requests\/cpu/,
  ],
  ["a device that is none", { speech: { device: "gpu" } }, /\/speech\/device/],
  ["a model that is none", { speech: { fastModel: "fast" } }, /\/speech\/fastModel/],
  ["a log level that is none", { defaults: { logLevel: "verbose" } }, /\/defaults\/logLevel/],
  ["a Secret's name that is none", { secrets: { name: "My Secret" } }, /\/secrets\/name/],
  ["a peer that is none", { networkPolicy: { database: ["10.0.0.1"] } }, /\/networkPolicy\/database\/0/],
  ["an upload larger than the specification's", { api: { maxFileBytes: 3e9 } }, /\/api\/maxFileBytes/],
  ["more operators than ever stand by", { operator: { replicas: 9 } }, /\/operator\/replicas/],
  [
    "a rollout the pool does not know",
    { speech: { rollout: { maxSurges: 1 } } },
    /\/speech\/rollout.*'maxSurges' not allowed/s,
  ],
  [
    "a runbook URL without its end",
    { monitoring: { runbookUrl: "https://docs.example.com" } },
    /\/monitoring\/runbookUrl/,
  ],

  ["a directory without a volume", { objectStore: { url: "file:///data" } }, /objectStore\.volume/],
  [
    "two volumes of the store",
    { objectStore: { url: "file:///data", volume: { emptyDir: {} }, claim: { enabled: true } } },
    /objectStore\.volume and objectStore\.claim\.enabled/,
  ],
  ["a volume beside S3", { objectStore: { claim: { enabled: true } } }, /objectStore\.claim/],
  ["an API key without TLS", { temporal: { apiKey: { enabled: true } } }, /temporal\.tls\.enabled/],
  ["a certificate without TLS", { temporal: { tls: { existingSecret: "tls" } } }, /temporal\.tls\.existingSecret/],
  ["two places for authorities", { ca: { configMap: "a", secret: "b" } }, /ca\.configMap and ca\.secret/],
  [
    "servers in two places",
    { upstreams: { fromSecret: true, servers: { "service-embed-1": { url: "http://a", model: "m" } } } },
    /upstreams\.servers/,
  ],
  [
    "a token that the API does not know",
    { inference: { enabled: true, authenticate: true } },
    /inference\.authenticate/,
  ],
  [
    "an autoscaler upside down",
    { api: { autoscaling: { enabled: true, minReplicas: 5, maxReplicas: 2 } } },
    /api\.autoscaling\.minReplicas/,
  ],
  ["a pool upside down", { media: { scaling: { minReplicas: 9 } } }, /media\.scaling\.minReplicas/],
  [
    "a model server without an image",
    { language: { mode: "pool", server: { model: "m" } } },
    /language\.server\.image\.repository/,
  ],
  [
    "a model server without a model",
    { language: { mode: "pool", server: { image: { repository: "a" } } } },
    /language\.server\.model/,
  ],
  [
    "a language pool that goes to zero",
    { language: { mode: "pool", scaling: { minReplicas: 0 }, server: { model: "m", image: { repository: "a" } } } },
    /language\.scaling\.minReplicas/,
  ],
  ["a Job that fills what nobody shares", { modelCache: { prefetch: "job" } }, /modelCache\.prefetch/],
  [
    "an image of models without a name",
    { modelCache: { type: "image", prefetch: "never" } },
    /modelCache\.image\.reference/,
  ],
  ["fetching into an image", { modelCache: { type: "image", image: { reference: "a" } } }, /modelCache\.prefetch/],
  ["an empty cache that nobody fills", { modelCache: { prefetch: "never" } }, /modelCache\.type emptyDir/],
  [
    "every namespace and some",
    { operator: { clusterWide: true, watchNamespaces: ["a"] } },
    /operator\.watchNamespaces/,
  ],
  ["an ingress without hosts", { api: { ingress: { enabled: true } } }, /api\.ingress\.hosts/],
  ["a route without a gateway", { api: { httpRoute: { enabled: true } } }, /api\.httpRoute\.parentRefs/],
];

for (const [what, values, named] of WRONG) {
  test(`refused by its name: ${what}`, async (t) => {
    await t.throwsAsync(() => render({ values }), { message: named });
  });
}

test("everything that does not go together is said at once", async (t) => {
  const values = { objectStore: { url: "file:///data" }, modelCache: { prefetch: "never" } };
  const { message } = await t.throwsAsync(() => render({ values }));
  t.regex(message, /objectStore\.volume/);
  t.regex(message, /modelCache\.prefetch never/);
});

test("a Kubernetes older than what the pods need is refused", async (t) => {
  await t.throwsAsync(() => helm("template", "escriba", CHART, "--kube-version", "1.29.0"), { message: /1\.30/ });
});
