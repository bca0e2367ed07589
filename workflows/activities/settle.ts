import { settleTranscript } from "../../billing/settle-transcript.ts";
import { renderSrt, renderTxt, renderVtt } from "../../speech/subtitles.ts";
import type { Transcript } from "../../speech/types.ts";
import { keys } from "../../storage/keys.ts";
import type { ObjectStore } from "../../storage/object-store.ts";
import * as transcripts from "../../storage/transcripts.ts";
import type { GroupResult, Roles } from "../../understanding/types.ts";
import { StepFailed } from "../failures.ts";
import type { DatabaseSteps } from "../steps.ts";
import { attributed, attributedRedaction } from "./attributed.ts";
import type { DatabaseDependencies } from "./begin.ts";
import { readObject } from "./objects.ts";
import { type AllUnderstood, GROUP_NAMES, mergeUnderstood } from "./understood.ts";

/** What `metrics.model` says (interface, 2.12). */
const MODEL = "service-scribe-1";

/**
 * `result.json`, `roles.json` and what the groups understood → result, charge and events in one transaction. A repeat, a
 * failed and a deleted row change nothing.
 */
export function settle({ db, store, metrics }: DatabaseDependencies): DatabaseSteps["settle"] {
  return async ({ transcriptId }) => {
    const row = await transcripts.readTranscriptForWork(db, transcriptId);
    if (!row || (row.status !== "queued" && row.status !== "processing")) return;
    const assembled = await readObject<Transcript>(store, keys.result(transcriptId));
    if (!assembled) throw new StepFailed("internal_error", new Error("result.json is gone"));
    const transcript = attributed(assembled, await readObject<Roles>(store, keys.roles(transcriptId)));
    const understood = mergeUnderstood(row.modules, await readGroups(store, transcriptId));
    const now = Date.now();
    const warnings = [...transcript.warnings, ...understood.warnings, ...unfulfilled(row, transcript)];
    const settled = await settleTranscript(db, {
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
      understanding: JSON.stringify(understood.understanding),
      pii: understood.pii && JSON.stringify(attributedRedaction(understood.pii, transcript)),
      warnings,
      metrics: JSON.stringify(measures(row, transcript, understood, now)),
      delivered: understood.delivered,
    });
    if (settled.outcome !== "settled") return;
    metrics.completed({
      audioSeconds: transcript.durationMs / 1_000,
      seconds: Math.max(0, now - row.createdAt.getTime()) / 1_000,
      chargedEur: Number(settled.chargedEur),
      writtenOffEur: Number(settled.writtenOffEur),
      warnings,
    });
  };
}

async function readGroups(store: ObjectStore, transcriptId: string): Promise<GroupResult[]> {
  const groups = await Promise.all(
    GROUP_NAMES.map((group) => readObject<GroupResult>(store, keys.understanding(transcriptId, group))),
  );
  return groups.filter((group) => group !== null);
}

/** Options that are no module, asked for and not honoured. In silence there is nothing to honour them in. */
function unfulfilled(
  { customVocabulary }: Pick<transcripts.Transcript, "customVocabulary">,
  { terms = null, metrics }: Transcript,
): string[] {
  return customVocabulary.length > 0 && metrics.windows > 0 && terms === null
    ? ["feature_unavailable:custom_vocabulary"]
    : [];
}

function measures(
  { createdAt, startedAt }: Pick<transcripts.Transcript, "createdAt" | "startedAt">,
  { metrics, durationMs }: Transcript,
  { seconds, promptVersion }: Pick<AllUnderstood, "seconds" | "promptVersion">,
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
    understanding_seconds: Math.round(seconds * 1_000) / 1_000,
    prompt_version: promptVersion,
  };
}
