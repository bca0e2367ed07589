import { keys } from "../../storage/keys.ts";
import type { DatabaseSteps } from "../steps.ts";
import type { DatabaseDependencies } from "./begin.ts";
import { inStore } from "./objects.ts";

/** Working objects live as long as their transcript is in flight; what the client reads is in the database. */
export function cleanUp({ store }: DatabaseDependencies): DatabaseSteps["cleanUp"] {
  return async ({ transcriptId }) => {
    await store.deletePrefix(keys.transcript(transcriptId)).catch((error) => {
      throw inStore(error);
    });
  };
}
