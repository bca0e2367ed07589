import { settleTranscript } from "../../billing/settle-transcript.ts";
import { renderSrt, renderTxt, renderVtt } from "../../speech/subtitles.ts";
import type { Transcript } from "../../speech/types.ts";
import { keys } from "../../storage/keys.ts";
import * as transcripts from "../../storage/transcripts.ts";
import { StepFailed } from "../failures.ts";
import type { DatabaseSteps } from "../steps.ts";
import type { DatabaseDependencies } from "./begin.ts";
import { readObject } from "./objects.ts";

/** What `metrics.model` says (interface, 2.12). */
const MODEL = "service-scribe-1";

/** `result.json` → result, charge and events in one transaction. A repeat, a failed and a deleted row change nothing. */
export function settle({ db, store }: DatabaseDependencies): DatabaseSteps["settle"] {
  return async ({ transcriptId }) => {
    const row = await transcripts.readTranscriptForWork(db, transcriptId);
    if (!row || (row.status !== "queued" && row.status !== "processing")) return;
    const transcript = await readObject<Transcript>(store, keys.result(transcriptId));
    if (!transcript) throw new StepFailed("internal_error", new Error("result.json is gone"));
    await settleTranscript(db, {
      transcriptId,
      language: transcript.language,
      languageConfidence: transcript.languageConfidence,
      durationMs: transcript.durationMs,
      speechMs: transcript.speechMs,
      text: transcript.text,
      // `approx`: the interface has no other method (2.6).
      words: JSON.stringify(transcript.words.map(({ text, start, end }) => ({ text, start, end, method: "approx" }))),
      utterances: JSON.stringify(transcript.utterances),
      srt: renderSrt(transcript),
      vtt: renderVtt(transcript),
      txt: renderTxt(transcript),
      speakerRoleConfidence: transcript.speakerRoleConfidence,
      understanding: "{}",
      pii: null,
      warnings: [...transcript.warnings, ...undelivered(row)],
      metrics: JSON.stringify(measures(row, transcript, Date.now())),
      delivered: [],
    });
  };
}

/** What was asked for and is not delivered; none of it is billed. */
function undelivered(row: Pick<transcripts.Transcript, "modules" | "customVocabulary">): string[] {
  return [
    ...row.modules.map((module) => `module_unavailable:${module}`),
    ...(row.customVocabulary.length > 0 ? ["feature_unavailable:custom_vocabulary"] : []),
  ];
}

function measures(
  { createdAt, startedAt }: Pick<transcripts.Transcript, "createdAt" | "startedAt">,
  { metrics, durationMs }: Transcript,
  now: number,
) {
  const started = startedAt?.getTime() ?? now;
  const processing = (now - started) / 1000;
  return {
    queue_seconds: Math.max(0, started - createdAt.getTime()) / 1000,
    processing_seconds: processing,
    real_time_factor: Math.round((processing / (durationMs / 1000)) * 10_000) / 10_000,
    chunks: metrics.chunks,
    retried_windows: metrics.retriedWindows,
    model: MODEL,
    asr_seconds: metrics.asrSeconds,
    understanding_seconds: 0,
    prompt_version: null,
  };
}
