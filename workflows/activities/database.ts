import type { DatabaseSteps } from "../steps.ts";
import { assemble } from "./assemble.ts";
import { begin, type DatabaseDependencies } from "./begin.ts";
import { cleanUp } from "./clean-up.ts";
import { fail } from "./fail.ts";
import { planUnderstanding } from "./plan-understanding.ts";
import { recordPlan } from "./record-plan.ts";
import { recordProgress } from "./record-progress.ts";
import { settle } from "./settle.ts";

/** Steps of the `transcripts` queue. */
export function createDatabaseActivities(dependencies: DatabaseDependencies): DatabaseSteps {
  return {
    begin: begin(dependencies),
    recordPlan: recordPlan(dependencies),
    recordProgress: recordProgress(dependencies),
    assemble: planUnderstanding(dependencies.db, assemble(dependencies)),
    settle: settle(dependencies),
    fail: fail(dependencies),
    cleanUp: cleanUp(dependencies),
  };
}
