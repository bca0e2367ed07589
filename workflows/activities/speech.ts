import type { SpeechSteps } from "../steps.ts";
import { identify } from "./identify.ts";
import { recognise, type SpeechDependencies } from "./recognise.ts";

/** Steps of `speech` and `speech-short`. Nothing here may import the database (test/workflows/no-database.test.ts). */
export function createSpeechActivities(dependencies: SpeechDependencies): SpeechSteps {
  return { identify: identify(dependencies), recognise: recognise(dependencies) };
}
