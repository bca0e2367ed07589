import * as z from "zod";
import { schema as apiSettings } from "../../api/config.ts";
import { settings as migrateSettings } from "../../cli/admin/migrate.ts";
import { schema as inferenceSettings } from "../../inference/config.ts";
import { schema as operatorSettings } from "../../operator/config.ts";
import { FAST_MODELS } from "../../speech/recognition/fast-models.ts";
import { schema as workerSettings } from "../../workflows/config.ts";
import { monitoring, networkPolicy, tracing } from "./around.ts";
import * as part from "./parts.ts";
import { language, media, speech } from "./pools.ts";

const names = (...schemas: z.ZodObject[]) => schemas.flatMap((schema) => Object.keys(schema.shape));
const known = {
  all: part.settings(names(apiSettings, workerSettings, inferenceSettings, operatorSettings, migrateSettings)),
  api: part.settings(names(apiSettings)),
  worker: part.settings(names(workerSettings)),
  inference: part.settings(names(inferenceSettings)),
  operator: part.settings(names(operatorSettings)),
  migrate: part.settings(names(migrateSettings)),
};

const autoscaling = z.strictObject({
  enabled: z.boolean(),
  minReplicas: part.count(),
  maxReplicas: part.count(),
  targetCPUUtilizationPercentage: part.count(1, 1_000),
  behavior: part.object(),
});

const deployment = {
  enabled: z.boolean(),
  replicas: part.count(0),
  autoscaling,
  graceSeconds: part.seconds(),
  resources: part.resources,
};

const api = part.component(known.api, {
  ...deployment,
  preStopSeconds: part.seconds(),
  maxFileBytes: z
    .int()
    .min(1)
    .max(2 ** 31),
  docsUrl: z.string().regex(/^(https?:\/\/\S+)?$/),
  trustedProxies: part.proxies,
  corsOrigin: z.string().regex(/^(https?:\/\/[^/\s]+)?$/),
  scratch: part.emptyDir,
  service: z.strictObject({
    type: z.enum(["ClusterIP", "NodePort", "LoadBalancer"]),
    port: part.port(),
    annotations: part.texts(),
  }),
  ingress: z.strictObject({
    enabled: z.boolean(),
    className: part.optionalName(),
    annotations: part.texts(),
    hosts: z.array(
      z.strictObject({
        host: z.string().min(1),
        paths: z.array(z.strictObject({ path: z.string(), pathType: z.string().optional() })).optional(),
      }),
    ),
    tls: part.objects(),
  }),
  httpRoute: z.strictObject({
    enabled: z.boolean(),
    annotations: part.texts(),
    parentRefs: part.objects(),
    hostnames: z.array(z.string().min(1)),
  }),
});

const secrets = z.strictObject({
  name: part.name(),
  checksums: z.boolean(),
  secretsKey: z.strictObject(part.secret),
  demandToken: z.strictObject(part.secret),
  drainToken: z.strictObject(part.secret),
});

const temporal = z.strictObject({
  address: z.string().regex(/^[^\s:/]+:[0-9]{1,5}$/),
  namespace: z.string().min(1),
  tls: z.strictObject({
    enabled: z.boolean(),
    serverName: z.string(),
    existingSecret: part.optionalName(),
    clientCertificate: z.boolean(),
    authority: z.boolean(),
  }),
  apiKey: z.strictObject({ enabled: z.boolean(), ...part.secret }),
  setup: z.strictObject({ enabled: z.boolean(), retentionDays: part.count(3, 365) }),
});

const objectStore = z.strictObject({
  // A password in the URL would stand in every pod's description.
  url: z.string().regex(/^(s3:\/\/[^\s@/]+(\/\S*)?(\?\S*)?|s3:\/\/[^\s@/?]+\?\S+|file:\/\/\/[^\s?]+)$/),
  credentials: z.enum(["keys", "identity"]),
  existingSecret: part.optionalName(),
  accessKeyIdKey: part.key(),
  secretAccessKeyKey: part.key(),
  port: z.union([z.literal(""), part.port()]),
  volume: part.object(),
  claim: z.strictObject({ enabled: z.boolean(), ...part.claim }),
});

const upstreams = z.strictObject({
  servers: z.record(
    z.string().regex(/^service-[a-z0-9-]+$/),
    // No api_key: whatever is here can be read by whoever may read a Deployment.
    z.strictObject({
      url: z.string().regex(/^https?:\/\/\S+$/),
      model: z.string().min(1),
      context_window: z.int().min(1).optional(),
      tokenizer: z.string().optional(),
      usage_in_chunks: z.boolean().optional(),
      structured_output: z.enum(["json_schema", "json_object", "none"]).optional(),
      cost: part.object().optional(),
      dimensions: z.int().min(1).optional(),
      native_dimensions: z.int().min(1).optional(),
    }),
  ),
  fromSecret: z.boolean(),
  ...part.secret,
  ports: z.array(part.port()),
});

const modelCache = z.strictObject({
  type: z.enum(["emptyDir", "claim", "hostPath", "image"]),
  prefetch: z.enum(["pod", "job", "process", "never"]),
  hub: z.string().regex(/^(https?:\/\/\S+)?$/),
  fetchResources: part.resources,
  sizeLimit: part.quantity,
  claim: z.strictObject({ existingClaim: part.optionalName(), ...part.claim }),
  hostPath: z.strictObject({ path: z.string().regex(/^\/\S+$/) }),
  image: z.strictObject({ reference: z.string(), pullPolicy: part.image.shape.pullPolicy }),
});

/** values.yaml of the chart, whole. */
export const chartValues = z.strictObject({
  nameOverride: part.optionalName(),
  fullnameOverride: part.optionalName(),
  global: z.looseObject({
    imageRegistry: z.string().regex(/^[^\s]*$/),
    imagePullSecrets: z.array(z.strictObject({ name: part.name() })),
  }),
  image: part.image,
  secrets,
  database: z.strictObject({
    ...part.secret,
    port: part.port(),
    apiConnections: part.count(2),
    transcriptsConnections: part.count(),
    webhooksConnections: part.count(),
  }),
  temporal,
  objectStore,
  upstreams,
  mail: z.strictObject({ enabled: z.boolean(), from: z.string().min(1), ...part.secret, port: part.port() }),
  ca: z.strictObject({ configMap: part.optionalName(), secret: part.optionalName(), key: part.key() }),
  proxy: z.strictObject({
    http: z.string().regex(/^(http:\/\/\S+)?$/),
    https: z.string().regex(/^(https?:\/\/\S+)?$/),
    noProxy: z.string(),
  }),
  defaults: z.strictObject(part.podOptions(known.all)),
  api,
  transcripts: part.component(known.worker, { ...deployment, slots: part.count() }),
  webhooks: part.component(known.worker, { ...deployment, slots: part.count(), networks: part.networks }),
  fetch: part.component(known.worker, { ...deployment, slots: part.count(), networks: part.networks }),
  language: part.component(known.worker, language),
  inference: part.component(known.inference, {
    enabled: z.boolean(),
    replicas: part.count(0),
    gguf: z.string(),
    window: part.count(1, 1_000_000),
    chats: part.count(1, 64),
    authenticate: z.boolean(),
    ...part.secret,
    graceSeconds: part.seconds(),
    preStopSeconds: part.seconds(),
    resources: part.resources,
  }),
  speech: part.component(known.worker, speech(FAST_MODELS)),
  media: part.component(known.worker, media),
  modelCache,
  operator: part.component(known.operator, {
    enabled: z.boolean(),
    replicas: part.count(0, 5),
    clusterWide: z.boolean(),
    watchNamespaces: z.array(part.name()),
    tokenSecrets: z.array(part.name()),
    resources: part.resources,
  }),
  rbac: z.strictObject({ create: z.boolean(), aggregate: z.boolean() }),
  crds: z.strictObject({ upgrade: z.boolean() }),
  migrate: part.component(known.migrate, {
    enabled: z.boolean(),
    ...part.secret,
    backoffLimit: part.count(0, 100),
    ttlSecondsAfterFinished: z.int().min(0),
    resources: part.resources,
  }),
  networkPolicy,
  monitoring,
  tracing,
  extraObjects: part.objects(),
  test: z.strictObject({ enabled: z.boolean(), resources: part.resources }),
});

/** charts/escriba/values.schema.json, in the dialect that every Helm reads. */
export function valuesSchemaFile(): string {
  const schema = z.toJSONSchema(chartValues, { target: "draft-7", reused: "ref", io: "input" });
  return `${JSON.stringify(schema, null, 2)}\n`;
}
