import * as z from "zod";
import { workerPoolSpec } from "../../operator/workerpool/spec.ts";
import * as part from "./parts.ts";

/** Of the WorkerPool's own definition: the chart allows what the API server will. */
const pool = workerPoolSpec.shape;
const scalingFields = pool.scaling.unwrap().shape;
const rollout = z.strictObject(pool.rollout.unwrap().shape).partial();

const scaling = z.strictObject({
  mode: z.enum(["Auto", "Manual"]),
  minReplicas: z.int().min(0).max(10_000),
  maxReplicas: z.int().min(1).max(10_000),
  targetWaitSeconds: part.seconds(1),
  organizationSlots: part.count(1, 10_000),
  extra: z.strictObject({ scaleUp: scalingFields.scaleUp, scaleDown: scalingFields.scaleDown }).partial(),
});

const shared = {
  slots: part.count(),
  graceSeconds: part.seconds(),
  rollout,
  assumedSpeed: z.number().min(0.01).max(100_000),
  resources: part.resources,
};

const pooled = {
  ...shared,
  enabled: z.boolean(),
  scaling,
  scratch: part.emptyDir,
  sharedMemory: part.optionalQuantity,
  resourceClaims: z.array(z.looseObject({ name: part.name() })),
  kueueQueue: part.optionalName(),
  doNotDisrupt: z.boolean(),
};

export const media = pooled;

export const speech = (fastModels: readonly string[]) => ({
  ...pooled,
  device: z.string().regex(/^(cpu|cuda:[0-9]{1,2})$/),
  threads: part.count(0, 256),
  batch: part.count(1, 16),
  fastModel: z.enum(["", ...fastModels]),
  speakerModel: z.enum(["campplus", "none"]),
  shortSlots: part.count(),
});

export const language = {
  ...shared,
  mode: z.enum(["external", "pool", "off"]),
  replicas: part.count(0),
  model: z.string().regex(/^service-[a-z0-9-]+$/),
  patience: z.number().min(0).max(10_000),
  rolesCalibration: z.string(),
  scaling: scaling.partial(),
  server: z.strictObject({
    image: part.image.partial(),
    command: z.array(z.string()),
    args: z.array(z.string()),
    env: part.objects(),
    port: part.port(),
    model: z.string(),
    serves: z.array(z.string().regex(/^service-[a-z0-9-]+$/)).min(1),
    options: part.object(),
    readinessPath: z.string().regex(/^\//),
    startupSeconds: part.seconds(10),
    resources: part.resources,
    securityContext: part.object(),
    volumeMounts: part.objects(),
    sharedMemory: part.optionalQuantity,
  }),
};
