import * as z from "zod";

/**
 * Pieces of the chart's values. A wrong value is refused before anything is rendered, with its path; what is a
 * Kubernetes object's own field is only checked for its kind, since every version of the API adds to it.
 */

export const name = () =>
  z
    .string()
    .max(253)
    .regex(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/);

/** A name, or nothing. */
export const optionalName = () =>
  z
    .string()
    .max(253)
    .regex(/^([a-z0-9]([-a-z0-9.]*[a-z0-9])?)?$/);

/** The key of a Secret or ConfigMap. */
export const key = () =>
  z
    .string()
    .max(253)
    .regex(/^[-._a-zA-Z0-9]+$/);

export const count = (least = 1, most = 1_000) => z.int().min(least).max(most);
export const seconds = (least = 0) => z.int().min(least).max(86_400);
export const port = () => z.int().min(1).max(65_535);
export const texts = () => z.record(z.string(), z.string());
export const objects = () => z.array(z.looseObject({}));
export const object = () => z.looseObject({});

export const quantity = z.union([
  z.string().regex(/^[0-9]+(\.[0-9]+)?(m|k|Ki|M|Mi|G|Gi|T|Ti|P|Pi)?$/),
  z.number().min(0),
]);
export const optionalQuantity = z.union([z.literal(""), quantity]);
export const resources = z.strictObject({
  requests: z.record(z.string(), quantity).optional(),
  limits: z.record(z.string(), quantity).optional(),
});

/** A pod's volume that is made with it and goes with it. */
export const emptyDir = z.strictObject({ sizeLimit: quantity.optional(), medium: z.enum(["", "Memory"]).optional() });

/** An address or a network, IPv4 or IPv6. */
export const network = z
  .string()
  .regex(/^([0-9]{1,3}(\.[0-9]{1,3}){3}(\/[0-9]{1,2})?|[0-9a-fA-F:]*:[0-9a-fA-F:.]*(\/[0-9]{1,3})?)$/);
/** Addresses and networks. */
export const proxies = z.array(network);
/** Networks alone. */
export const networks = z.array(z.string().regex(/^[0-9a-fA-F.:]+\/[0-9]{1,3}$/));
export const cidr = z.string().regex(/\/[0-9]{1,3}$/);

/** NetworkPolicy peers, and one of the chart's own that stands for every public address. */
export const peers = z.array(
  z.union([
    z.strictObject({ public: z.literal(true) }),
    z.strictObject({ namespaceSelector: object().optional(), podSelector: object().optional() }),
    z.strictObject({ ipBlock: z.strictObject({ cidr, except: z.array(cidr).optional() }) }),
  ]),
);

/**
 * Settings beyond the chart's own, only such as the process knows. Each name is a property of its own, since a refusal
 * by a pattern of names says neither the path nor the name.
 */
export function settings(names: readonly string[]) {
  const value = z.union([z.string(), z.number(), z.boolean()]).optional();
  return z.strictObject(Object.fromEntries([...new Set(names)].sort().map((name) => [name, value])));
}

export type Known = ReturnType<typeof settings>;

export const image = z.strictObject({
  registry: z.string().regex(/^[^\s]*$/),
  repository: z.string().regex(/^[a-z0-9]+([._/-]+[a-z0-9]+)*$/),
  tag: z.string().regex(/^[-._a-zA-Z0-9]{0,128}$/),
  digest: z.string().regex(/^(sha256:[0-9a-f]{64})?$/),
  pullPolicy: z.enum(["Always", "IfNotPresent", "Never"]),
});

export const secret = { existingSecret: optionalName(), key: key() };

export const claim = {
  size: quantity,
  storageClassName: optionalName(),
  accessModes: z.array(z.enum(["ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod"])).min(1),
};

export const logLevel = z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]);

/** What every component has: `defaults`, and each component's own over it. */
export const podOptions = (known: Known) => ({
  logLevel,
  listenAddress: z.string().min(1),
  settings: known,
  extraEnv: z.array(z.looseObject({ name: z.string().min(1) })),
  extraEnvFrom: objects(),
  extraVolumes: objects(),
  extraVolumeMounts: objects(),
  extraContainers: objects(),
  extraInitContainers: objects(),
  podLabels: texts(),
  podAnnotations: texts(),
  labels: texts(),
  annotations: texts(),
  nodeSelector: texts(),
  tolerations: objects(),
  affinity: object(),
  topologySpreadConstraints: objects(),
  priorityClassName: optionalName(),
  runtimeClassName: optionalName(),
  schedulerName: optionalName(),
  dnsPolicy: z.enum(["", "ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"]),
  dnsConfig: object(),
  hostAliases: objects(),
  podSecurityContext: object(),
  securityContext: object(),
  serviceAccount: z.strictObject({ create: z.boolean(), name: optionalName(), annotations: texts() }).partial(),
  image: image.partial(),
  podDisruptionBudget: z
    .strictObject({ enabled: z.boolean(), maxUnavailable: z.union([z.int().min(1), z.string().regex(/^[0-9]+%$/)]) })
    .partial(),
});

/** A component: its own keys, which are in values.yaml, and any of `defaults`. */
export function component<Shape extends z.ZodRawShape>(known: Known, shape: Shape) {
  return z.strictObject({ ...z.strictObject(podOptions(known)).partial().shape, ...shape });
}
