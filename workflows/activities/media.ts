import type { MediaSteps } from "../steps.ts";
import { diarise } from "./diarise.ts";
import { type MediaDependencies, prepare } from "./prepare.ts";

/** Steps of the `media` queue. Nothing here may import the database (test/workflows/no-database.test.ts). */
export function createMediaActivities(dependencies: MediaDependencies): MediaSteps {
  return { prepare: prepare(dependencies), diarise: diarise(dependencies) };
}
