import type { Database } from "../../storage/database.ts";
import { readFile } from "../../storage/files.ts";
import { keys } from "../../storage/keys.ts";
import type { ObjectStore } from "../../storage/object-store.ts";
import { markProcessing } from "../../storage/transcripts.ts";
import { StepFailed } from "../failures.ts";
import type { Begun, DatabaseSteps } from "../steps.ts";
import type { TranscriptMetrics } from "../transcript-metrics.ts";
import type { SourceUrl } from "./fetch-source.ts";
import { writeObject } from "./objects.ts";

export interface DatabaseDependencies {
  db: Database;
  store: ObjectStore;
  metrics: TranscriptMetrics;
}

const NOTHING_TO_DO: Begun = { proceed: false, uploadKey: null, language: null, languageHints: [], modules: [] };

/**
 * queued → processing. A URL, the vocabulary and the options of the modules go to the store, where the steps without a
 * database read them: they are a client's words and must not enter Temporal.
 */
export function begin({ db, store }: DatabaseDependencies): DatabaseSteps["begin"] {
  return async ({ transcriptId }) => {
    const row = await markProcessing(db, transcriptId);
    if (!row) return NOTHING_TO_DO;
    const { language, languageHints, modules, audioUrl: url } = row;
    const vocabulary = row.customVocabulary;
    const listenFor = vocabulary.length > 0 ? ({ vocabulary: true } as const) : {};
    const begun = { proceed: true, language, languageHints, modules, ...listenFor };
    if (vocabulary.length > 0) await writeObject(store, keys.vocabulary(transcriptId), vocabulary);
    if (modules.length > 0) await writeObject(store, keys.understandingRequest(transcriptId), row.understanding);
    if (row.fileId === null && url !== null) {
      await writeObject(store, keys.sourceUrl(transcriptId), { url } satisfies SourceUrl);
      return { ...begun, uploadKey: null };
    }
    const file = row.fileId === null ? null : await readFile(db, row.organizationId, row.fileId);
    if (!file) throw new StepFailed("source_missing");
    return { ...begun, uploadKey: file.objectKey };
  };
}
