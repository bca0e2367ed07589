import { keys } from "../../../storage/keys.ts";
import type { ObjectStore } from "../../../storage/object-store.ts";
import { assemble } from "../../../workflows/activities/assemble.ts";
import { readObject, writeObject } from "../../../workflows/activities/objects.ts";
import type { DatabaseSteps } from "../../../workflows/steps.ts";

/** What a client asks for with a recording. */
export interface Request {
  /** ISO 639-1; null for detection. */
  language: string | null;
  vocabulary: string[];
}

/** Object that stands for the transcript's row. */
export const requestKey = (id: string) => `requests/${id}.json`;
export const uploadKey = (id: string) => `uploads/${id}`;

/**
 * The steps of the `transcripts` queue without its database: no money, no rows, and the working objects stay, because
 * the measuring reads them. What turns windows into a transcript is the product's own step.
 */
export function recordlessSteps(store: ObjectStore): DatabaseSteps {
  const nothing = async () => undefined;
  return {
    begin: async ({ transcriptId }) => {
      const request = await readObject<Request>(store, requestKey(transcriptId));
      if (!request) throw new Error(`there is no request ${transcriptId}`);
      const begun = {
        proceed: true,
        uploadKey: uploadKey(transcriptId),
        language: request.language,
        languageHints: [],
      };
      if (request.vocabulary.length === 0) return begun;
      await writeObject(store, keys.vocabulary(transcriptId), request.vocabulary);
      return { ...begun, vocabulary: true };
    },
    assemble: assemble({ store }),
    recordPlan: nothing,
    recordProgress: nothing,
    settle: nothing,
    fail: nothing,
    cleanUp: nothing,
  };
}
