import * as z from "zod";
import { WORKER_PORT } from "./group.ts";
import { rules } from "./rules.ts";

/**
 * `spec` of a WorkerPool. This is the one source: the TypeScript types, what the operator checks when it reads an
 * object, the structural schema of the custom resource definition and docs/workerpool.md all come from here. Keys that
 * begin with `x-kubernetes-` travel into the definition as they are.
 *
 * Every list and text has a limit, also where no one would reach it: the API server multiplies them into the cost of
 * the rules below and refuses a definition whose rules could be too dear.
 */

const text = (longest: number) => z.string().min(1).max(longest);

/** The name of an object in the pool's own namespace. */
const objectName = () => text(253).regex(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/);

const secretKey = (what: string) =>
  z.object({
    name: objectName().describe("Name of a Secret in the pool's namespace."),
    key: text(253)
      .regex(/^[-._a-zA-Z0-9]+$/)
      .default("token")
      .describe(`Key in it that holds ${what}.`),
  });

const policy = z.object({
  type: z
    .enum(["Pods", "Percent"])
    .describe("`Pods`: that many pods; `Percent`: of the pods there were when the period began, rounded up."),
  value: z.int().min(1).max(10_000).describe("How many pods, or how many percent."),
  periodSeconds: z.int().min(1).max(1800).describe("In any period of this length, in seconds."),
});

const policies = (direction: string, stabilization: number, defaults: z.input<typeof policy>[]) =>
  z
    .object({
      stabilizationWindowSeconds: z
        .int()
        .min(0)
        .max(3600)
        .default(stabilization)
        .describe(
          `A ${direction} happens once it was wanted for this long without a break, and only as far as was wanted all that time.`,
        ),
      selectPolicy: z
        .enum(["Max", "Min", "Disabled"])
        .default("Max")
        .describe("Which policy counts: the one that allows most, the one that allows least; or never scale this way."),
      policies: z
        .array(policy)
        .min(1)
        .max(4)
        .default(defaults as z.output<typeof policy>[])
        .describe(`How fast a ${direction} may go.`)
        .meta({ "x-kubernetes-list-type": "atomic" }),
    })
    .prefault({});

const scaling = z
  .object({
    mode: z
      .enum(["Auto", "Manual"])
      .default("Auto")
      .describe(
        "`Auto`: the operator writes `spec.replicas` from demand. `Manual`: it only obeys it, whoever wrote it (`kubectl scale`, an HPA, KEDA).",
      ),
    minReplicas: z
      .int()
      .min(0)
      .max(10_000)
      .default(0)
      .describe("Fewest pods in `Auto`. `Manual` may go below, down to 0."),
    maxReplicas: z
      .int()
      .min(1)
      .max(10_000)
      .default(4)
      .describe("Most pods, in either mode; `rollout.maxSurge` more while a new template is rolled out."),
    slotsPerPod: z
      .int()
      .min(1)
      .max(1000)
      .default(1)
      .describe(
        "Activities that one pod does at a time, of all its queues together: the slots its worker is set up for.",
      ),
    targetWaitSeconds: z
      .int()
      .min(1)
      .max(86_400)
      .default(30)
      .describe("The backlog should be done in this time: more wait, fewer pods."),
    organizationSlots: z
      .int()
      .min(1)
      .max(10_000)
      .default(32)
      .describe("No organization's work counts for more slots than these, so that one alone never fills the cluster."),
    scaleUp: policies("scale-up", 0, [
      { type: "Percent", value: 100, periodSeconds: 15 },
      { type: "Pods", value: 4, periodSeconds: 15 },
    ]).describe("How fast pods are added, in the words of a HorizontalPodAutoscaler."),
    scaleDown: policies("scale-down", 120, [{ type: "Percent", value: 100, periodSeconds: 15 }]).describe(
      "How fast pods are taken away, in the words of a HorizontalPodAutoscaler.",
    ),
  })
  .prefault({})
  .meta({ "x-kubernetes-validations": rules.scaling })
  .describe("How many pods there should be.");

const rollout = z
  .object({
    maxSurge: z
      .int()
      .min(0)
      .max(1000)
      .default(1)
      .describe("Pods beyond the desired count while a new template is rolled out."),
    maxUnavailable: z
      .int()
      .min(0)
      .max(1000)
      .default(0)
      .describe("Ready pods that may be missing while a new template is rolled out."),
    whenUnschedulable: z
      .enum(["DrainOneIdle", "Wait"])
      .default("DrainOneIdle")
      .describe(
        "What to do when the new template's pod finds no node, as on a cluster without a spare GPU: drain one idle pod of the old template to make room, or wait.",
      ),
    unschedulableSeconds: z
      .int()
      .min(0)
      .max(3600)
      .default(60)
      .describe("A pod counts as without a node after this time; longer than your cluster takes to add one."),
    progressDeadlineSeconds: z
      .int()
      .min(10)
      .max(86_400)
      .default(900)
      .describe("A pod that has a node and is not ready after this time counts as one that cannot start."),
    restartOnAnnotations: z
      .array(text(317))
      .max(16)
      .default(["checksum/config", "checksum/secret", "kubectl.kubernetes.io/restartedAt"])
      .describe(
        "Annotations of the template whose change is a new template. Others, and all labels, may change without a restart.",
      )
      .meta({ "x-kubernetes-list-type": "set" }),
  })
  .prefault({})
  .meta({ "x-kubernetes-validations": rules.rollout })
  .describe("How pods of an old template are replaced.");

const drain = z
  .object({
    timeoutSeconds: z
      .int()
      .min(1)
      .max(86_400)
      .default(900)
      .describe("A drain that takes longer is reported. The pod is not deleted: it may still be at work."),
    port: text(15)
      .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/)
      .default(WORKER_PORT)
      .describe("Name of the container port that serves `/status` and `/drain`."),
    tokenSecret: secretKey("the workers' `ESCRIBA_DRAIN_TOKEN`")
      .optional()
      .describe("Token for `/status` and `/drain`; without it they are asked without one."),
  })
  .prefault({})
  .describe("How a worker is asked to take no more work.");

const demand = z
  .object({
    url: text(2048)
      .regex(/^https?:\/\/[^\s]+$/)
      .describe("Where the API says what waits, e.g. `http://escriba-api-metrics:9464/internal/demand`."),
    tokenSecret: secretKey("the API's `ESCRIBA_DEMAND_TOKEN`").describe("Token of that address."),
    maxAgeSeconds: z
      .int()
      .min(5)
      .max(3600)
      .default(30)
      .describe("An older answer counts as unknown, and unknown demand never takes pods away."),
  })
  .describe("Where the operator learns what waits. Needed in `Auto`.");

const template = z
  .object({
    metadata: z
      .object({
        labels: z.record(z.string(), z.string().max(63)).optional().describe("Labels of the pods."),
        annotations: z.record(z.string(), z.string()).optional().describe("Annotations of the pods."),
      })
      .optional()
      .describe("Labels and annotations of the pods; the operator adds its own."),
    spec: z
      .looseObject({})
      .describe("A pod's `spec`, with every field that your cluster's version knows.")
      .meta({ "x-kubernetes-preserve-unknown-fields": true }),
  })
  .describe("The pod, as in a Deployment. Each generation is tried on the API server: see condition TemplateAccepted.");

export const workerPoolSpec = z
  .object({
    queues: z
      .array(text(63).regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/))
      .min(1)
      .max(16)
      .describe("Temporal task queues that the pods serve; their demand is this pool's.")
      .meta({ "x-kubernetes-list-type": "set" }),
    paused: z
      .boolean()
      .default(false)
      .describe("While true the operator touches no pod and not `spec.replicas`; it still writes `status`."),
    replicas: z
      .int()
      .min(0)
      .max(10_000)
      .default(0)
      .describe("Desired pods. In `Auto` the operator's to write; leave it out of your manifests."),
    assumedSpeed: z
      .number()
      // Above 0 and not from 0.01 on: the API server cuts a bound to a whole number when the value is written as one.
      .gt(0)
      .max(100_000)
      .default(10)
      .describe("Audio-seconds that one slot does in a second, until the pods of this template have measured it."),
    scaling,
    rollout,
    drain,
    demand: demand.optional(),
    template,
  })
  .meta({ "x-kubernetes-validations": rules.spec })
  .describe("What is wanted.");
