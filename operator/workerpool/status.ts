import * as z from "zod";

/**
 * `status` of a WorkerPool: what people read, and all that the operator remembers from one decision to the next, so
 * that a new leader decides as the old one would have. Nothing in it changes while nothing happens: times are those
 * of changes, never "last looked at".
 */

const count = (what: string) => z.int().min(0).max(1_000_000).optional().describe(what);
const time = (what: string) => z.iso.datetime({ offset: true }).describe(what);
const hash = () => z.string().max(63);

const condition = z.object({
  type: z
    .enum(["Ready", "Progressing", "DemandKnown", "TemplateAccepted", "Unschedulable", "AtMax", "SlotsAgree"])
    .describe("What it is about."),
  status: z.enum(["True", "False", "Unknown"]).describe("Whether it is so."),
  reason: z.string().min(1).max(256).describe("One word why."),
  message: z.string().max(4096).describe("For people."),
  lastTransitionTime: time("When `status` last changed."),
  observedGeneration: z.int().min(0).max(Number.MAX_SAFE_INTEGER).optional().describe("Generation it was said of."),
});

const decision = z.object({
  reason: z.string().min(1).max(63).describe("One word: why `desired` is what it is."),
  message: z.string().max(4096).describe("The same with its numbers."),
  desired: z.int().min(0).max(1_000_000).describe("Pods wanted."),
  at: time("When this was first decided."),
});

const demand = z.object({
  organizations: z.int().min(0).describe("Organizations with work for this pool."),
  outstandingChunks: z.int().min(0).describe("Pieces of work that are not done, running ones with them."),
  outstandingSeconds: z.number().min(0).describe("The same in seconds of audio."),
  waitingSince: time("Since when the oldest has waited.").optional(),
});

const speed = z.object({
  templateHash: hash().describe("Template whose pods measured it."),
  audioSecondsPerSecond: z.number().min(0).describe("Audio-seconds that one slot does in a second."),
  measuredAt: time("When it was last taken in."),
});

const level = z.object({
  replicas: z.int().min(0).describe("Count of pods."),
  since: time("Since when that many, or a count further off, has been wanted without a break."),
});

const scaling = z.object({
  lower: z.array(level).max(32).default([]).describe("Fewer pods wanted, highest count first."),
  higher: z.array(level).max(32).default([]).describe("More pods wanted, lowest count first."),
  changes: z
    .array(z.object({ at: time("When."), change: z.int().describe("Pods added, or taken away when negative.") }))
    .max(64)
    .default([])
    .describe("What the policies' periods are counted over, oldest first."),
});

const draining = z.object({
  pod: z.string().max(253).describe("Pod that was asked to take no more work."),
  uid: z.string().max(63).describe("Its uid."),
  since: time("When it was asked."),
  reason: z.enum(["ScaleDown", "Rollout", "Surplus", "MakeRoom"]).describe("What it goes for."),
});

const room = z.object({
  since: time("When an old pod was last asked to make room for one of the present template."),
  readyReplicas: z.int().min(0).describe("Pods ready then; the next is not asked before there are as many again."),
});

const backoff = z.object({
  templateHash: hash().describe("Template whose pods fail."),
  reason: z.string().max(63).describe("How, in one word."),
  message: z.string().max(4096).describe("What was said."),
  failures: z.int().min(1).max(1_000_000).describe("Failures in a row."),
  since: time("The first of them."),
  until: time("No new pod before this."),
});

export const workerPoolStatus = z
  .object({
    observedGeneration: z
      .int()
      .min(0)
      .max(Number.MAX_SAFE_INTEGER)
      .optional()
      .describe("Generation of `spec` that this status is about."),
    conditions: z
      .array(condition)
      .max(16)
      .default([])
      .describe("What is well and what is not.")
      .meta({ "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["type"] }),
    desiredReplicas: count("Pods wanted."),
    replicas: count("Pods there are, without those that have ended or are going."),
    readyReplicas: count("Of them, ready for work and not draining."),
    busyReplicas: count("Of them, at work, or not answering and therefore maybe at work."),
    updatedReplicas: count("Of them, of the present template."),
    drainingReplicas: count("Of them, taking no more work."),
    pendingReplicas: count("Of them, not started yet."),
    selector: z.string().max(1024).optional().describe("Label selector of the pods, for the scale subresource."),
    templateHash: hash().optional().describe("Hash of the present template, as in the pods' labels."),
    decision: decision.optional().describe("The last decision."),
    demand: demand.optional().describe("What waits for this pool; absent when it is not known."),
    speed: speed.optional().describe("Measured speed, smoothed."),
    scaling: scaling.optional().describe("What scaling remembers."),
    draining: z.array(draining).max(1000).default([]).describe("Pods on their way out.").meta({
      "x-kubernetes-list-type": "atomic",
    }),
    room: room.optional().describe("Room made on a full cluster, while a template is rolled out."),
    backoff: z.array(backoff).max(8).default([]).describe("Templates whose pods fail.").meta({
      "x-kubernetes-list-type": "atomic",
    }),
  })
  .describe("What is, written by the operator.");
