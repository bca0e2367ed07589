import { failTranscript } from "../../billing/fail-transcript.ts";
import { FAILURES, isFailureCode } from "../failures.ts";
import type { DatabaseSteps } from "../steps.ts";
import type { DatabaseDependencies } from "./begin.ts";

/** Row failed, hold released, event written. Without effect on a row that is final or gone. */
export function fail({ db, metrics }: DatabaseDependencies): DatabaseSteps["fail"] {
  return async ({ transcriptId, code }) => {
    const known = isFailureCode(code) ? code : "internal_error";
    const { outcome } = await failTranscript(db, transcriptId, FAILURES[known].message);
    if (outcome === "failed") metrics.failed(known);
  };
}
