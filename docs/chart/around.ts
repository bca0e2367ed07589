import * as z from "zod";
import * as part from "./parts.ts";

/** What stands around the pods: who may reach whom, and who looks at them. */

export const networkPolicy = z.strictObject({
  enabled: z.boolean(),
  apiFrom: part.peers,
  metricsFrom: part.peers,
  dns: part.peers,
  database: part.peers,
  temporal: part.peers,
  objectStore: part.peers,
  upstreams: part.peers,
  mail: part.peers,
  modelHub: part.peers,
  tracing: part.peers,
  kubernetesApi: part.peers,
  privateNetworks: z.array(part.cidr),
  privateNetworks6: z.array(part.cidr),
  extraEgress: part.objects(),
  extraIngress: part.objects(),
});

const monitor = z.strictObject({
  enabled: z.boolean(),
  labels: part.texts(),
  interval: z.string().regex(/^([0-9]+(ms|s|m|h))+$/),
});

export const monitoring = z.strictObject({
  podMonitor: monitor,
  serviceMonitor: monitor,
  prometheusRule: z.strictObject({ enabled: z.boolean(), labels: part.texts() }),
  runbookUrl: z.string().regex(/^https?:\/\/\S+\/$/),
  dashboards: z.strictObject({
    enabled: z.boolean(),
    labels: part.texts(),
    annotations: part.texts(),
    namespace: part.optionalName(),
  }),
});

export const tracing = z.strictObject({
  endpoint: z.string().regex(/^(https?:\/\/\S+)?$/),
  ratio: z.number().min(0).max(1),
  headersFromSecret: z.boolean(),
  ...part.secret,
});
