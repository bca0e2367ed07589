import type { Context } from "@temporalio/activity";

/** Whose work a call is, for its share of the engine. */
export interface Share {
  /** Fairness key: the organization, or `<organization>/economy`. */
  key: string;
  /** Its part beside the others' 1. */
  weight: number;
}

/** The organization's share, as the workflow gave it to the server. */
export function shareOf({ info }: Context): Share {
  const { fairnessKey, fairnessWeight } = info.priority ?? {};
  return { key: fairnessKey ?? "", weight: fairnessWeight || 1 };
}
