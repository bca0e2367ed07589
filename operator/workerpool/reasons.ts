import type { Condition, ConditionType } from "./types.ts";

/** Why the desired count is what it is: `status.decision.reason`, and column Reason of `kubectl get wp`. */
export const decisionReasons = {
  Backlog: "As many as the backlog wants.",
  BusyPods: "More than the backlog wants, since so many are at work or do not answer.",
  Idle: "Nothing is outstanding.",
  AtMin: "The backlog wants fewer than `minReplicas`.",
  AtMax: "More are wanted than `maxReplicas`.",
  ScaleUpLimited: "More are wanted; the scale-up policies or their window allow this many now.",
  ScaleDownLimited: "Fewer are wanted; the scale-down window has not passed, or its policies allow this many now.",
  DemandUnknown: "The API has not said of late what waits: no fewer than there are.",
  Manual: "What `spec.replicas` says.",
  Paused: "`spec.paused` is true: nothing is touched.",
  Deleted: "The pool is being deleted.",
} as const;

export type DecisionReason = keyof typeof decisionReasons;

/** What went wrong with pods of the present template, where the API server or the kubelet has no word of its own. */
const podFailures = {
  Quota: "A ResourceQuota is used up.",
  Admission: "A webhook or a policy refuses the pods.",
  Invalid: "The pods are not valid.",
  NameTaken: "A pod of that name exists that is not this pool's.",
  Other: "The API server answered something else; the message has it.",
};

export interface ConditionMeaning {
  means: string;
  /** Which value is worth a look. */
  trouble: Condition["status"] | null;
  reasons: Record<string, string>;
}

/** The conditions and their reasons, for people. A pod's own reason (CrashLoopBackOff, Evicted) may be Progressing's too. */
export const conditionMeanings: Record<ConditionType, ConditionMeaning> = {
  Ready: {
    means: "As many pods are ready as are desired.",
    trouble: null,
    reasons: {
      PodsReady: "They are.",
      ScaledToZero: "None are desired.",
      PodsStarting: "Some are not ready yet.",
      TemplateCannotStart: "Pods of the present template do not start.",
      Deleted: "The pool is being deleted.",
    },
  },
  Progressing: {
    means: "What is to change changes by itself.",
    trouble: "False",
    reasons: {
      Stable: "Nothing is to change.",
      Scaling: "Pods are on their way, up or down.",
      RollingOut: "Pods of an old template are being replaced.",
      Paused: "`spec.paused` is true.",
      TemplateRefused: "The API server does not accept the template; old pods stay.",
      TemplateCannotStart: "No pod of the present template starts; old pods stay.",
      DrainOverdue: "A pod has not drained within `drain.timeoutSeconds`.",
      ...podFailures,
    },
  },
  DemandKnown: {
    means: "The API says what waits, and not too long ago.",
    trouble: "False",
    reasons: {
      Answered: "It does.",
      NeverAnswered: "It has not answered yet.",
      Stale: "Its last answer is older than `demand.maxAgeSeconds`.",
      FromTheFuture: "Its clock is ahead of the operator's by more than that.",
      NotConfigured: "`spec.demand` is not set.",
    },
  },
  TemplateAccepted: {
    means: "The API server accepts pods of the template, tried without keeping one.",
    trouble: "False",
    reasons: { Accepted: "It does.", NotAsked: "It has not been asked, or did not answer.", ...podFailures },
  },
  Unschedulable: {
    means: "A pod has had no node for `rollout.unschedulableSeconds`.",
    trouble: "True",
    reasons: { NoNodeFits: "The scheduler's words are in the message.", NoneWaits: "None." },
  },
  AtMax: {
    means: "More pods are wanted than `maxReplicas`.",
    trouble: "True",
    reasons: { MaxReplicas: "They are.", BelowMax: "They are not." },
  },
  SlotsAgree: {
    means:
      "Workers of the present template report as many slots as `scaling.slotsPerPod` says, by which the pool is sized.",
    trouble: "False",
    reasons: {
      AsReported: "They do.",
      SlotsDiffer: "They report other counts, which the message has; the pool is too large or too small.",
      NoneAnswers: "No such worker answers, so that nothing can be compared.",
    },
  },
};
