import * as z from "zod";
import { type Observation, observation } from "../observation.ts";
import type { Plan } from "../plan.ts";

/** Version of the line. It grows when an older `escriba operator replay` could not read it any more. */
const LINE_VERSION = 1;

/** A decision as it is logged: everything that was seen, and everything that came of it. */
export interface DecisionLine {
  kind: "decision";
  version: typeof LINE_VERSION;
  /** `namespace/name`. */
  pool: string;
  at: string;
  observation: Observation;
  plan: Plan;
}

/** The fields of a decision's log line. The logger may add its own beside them. */
export function decisionLine(observed: Observation, plan: Plan): DecisionLine {
  const { namespace, name } = observed.pool;
  return {
    kind: "decision",
    version: LINE_VERSION,
    pool: `${namespace}/${name}`,
    at: observed.now,
    observation: observed,
    plan,
  };
}

const line = z.object({
  version: z.literal(LINE_VERSION, {
    error: `this version of escriba reads version ${LINE_VERSION} of decision lines`,
  }),
  pool: z.string(),
  at: z.string(),
  observation,
  // Compared as it is: a field that this version does not know is a difference worth seeing.
  plan: z.record(z.string(), z.unknown()),
});

export type ReadLine = z.output<typeof line>;

/**
 * A decision from a line of a log; null when the line is about something else.
 *
 * @throws z.ZodError for a decision that this version cannot read
 */
export function readDecisionLine(text: string): ReadLine | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const isDecision = typeof value === "object" && value !== null && "kind" in value && value.kind === "decision";
  return isDecision ? line.parse(value) : null;
}
