import type { FetchSteps } from "../steps.ts";
import { type FetchDependencies, fetchSource } from "./fetch-source.ts";

/** Steps of the `fetch` queue, whose workers alone reach the internet. */
export function createFetchActivities(dependencies: FetchDependencies): FetchSteps {
  return { fetchSource: fetchSource(dependencies) };
}
