import type { ActivityOptions } from "@temporalio/workflow";
import { FINAL_CODES } from "./failures.ts";

/**
 * Time-outs and attempts of every step; docs/architecture.md explains each figure ("Steps and their limits") and a
 * test holds the two together. No schedule-to-start and no schedule-to-close: waiting for a worker is not a failure,
 * and the transcript's own deadline, or the delivery's row, ends everything.
 */
const retry = { initialInterval: "1s", backoffCoefficient: 2, maximumInterval: "1m" } as const;
const nonRetryableErrorTypes: string[] = FINAL_CODES;

/** Of a mail server that is away: 30 attempts within a day. */
const patient = { initialInterval: "1s", backoffCoefficient: 2, maximumInterval: "1h" } as const;
const unlimited = { retry: { ...retry, nonRetryableErrorTypes } };
const attempts = (maximumAttempts: number) => ({ retry: { ...retry, maximumAttempts, nonRetryableErrorTypes } });

export const STEP_OPTIONS = {
  begin: { startToCloseTimeout: "30s", ...unlimited },
  fetchSource: { startToCloseTimeout: "2h", heartbeatTimeout: "30s", ...attempts(5) },
  prepare: { startToCloseTimeout: "1h", heartbeatTimeout: "30s", ...attempts(6) },
  recordPlan: { startToCloseTimeout: "30s", ...unlimited },
  identify: { startToCloseTimeout: "10m", heartbeatTimeout: "30s", ...attempts(12) },
  recognise: { startToCloseTimeout: "1h", heartbeatTimeout: "30s", ...attempts(12) },
  diarise: { startToCloseTimeout: "10m", heartbeatTimeout: "30s", ...attempts(6) },
  recordProgress: { startToCloseTimeout: "30s", ...attempts(3) },
  assemble: { startToCloseTimeout: "10m", heartbeatTimeout: "30s", ...unlimited },
  attributeRoles: { startToCloseTimeout: "30m", heartbeatTimeout: "30s", ...attempts(4) },
  understand: { startToCloseTimeout: "6h", heartbeatTimeout: "30s", ...attempts(4) },
  settle: { startToCloseTimeout: "1m", ...unlimited },
  fail: { startToCloseTimeout: "30s", ...unlimited },
  cleanUp: { startToCloseTimeout: "10m", ...attempts(10) },
  attemptDelivery: { startToCloseTimeout: "20s", ...unlimited },
  sendMail: { startToCloseTimeout: "1m", retry: { ...patient, maximumAttempts: 30, nonRetryableErrorTypes } },
} as const satisfies Record<string, ActivityOptions>;
