/** A rule in the Common Expression Language, as a custom resource definition carries it. */
export interface Rule {
  rule: string;
  message: string;
  /** Field the API server names with the message, relative to where the rule stands. */
  fieldPath?: string;
}

/** What the schema alone cannot say about a WorkerPool. Each is checked by the API server before anything is stored. */
export const rules = {
  scaling: [
    {
      rule: "self.minReplicas <= self.maxReplicas",
      message: "minReplicas must not be more than maxReplicas",
      fieldPath: ".minReplicas",
    },
  ],
  rollout: [
    {
      rule: "self.maxSurge > 0 || self.maxUnavailable > 0",
      message: "maxSurge and maxUnavailable must not both be 0: no pod could ever be replaced",
      fieldPath: ".maxSurge",
    },
  ],
  spec: [
    {
      rule: "self.scaling.mode != 'Auto' || has(self.demand)",
      message: "mode Auto needs demand: the operator scales by it (or set scaling.mode to Manual)",
      fieldPath: ".demand",
    },
  ],
  root: [
    {
      rule: "self.metadata.name.size() <= 46",
      message: "the name of a WorkerPool has at most 46 characters: its pods' names and host names begin with it",
    },
  ],
} satisfies Record<string, Rule[]>;
