import { assumedMs, type TranscriptSource } from "../../../billing/duration.ts";
import type { Work } from "../../../storage/transcripts.ts";
import { SHORT_RECORDING_MS, TASK_QUEUES } from "../../../workflows/names.ts";

/** Longest chunk of a plan (docs/architecture.md). */
const CHUNK_MS = 300_000;

/** What the task queues are taken to get until the plan is known, so that demand is seen from the first moment. */
export function assumedWork(source: TranscriptSource): Work[] {
  const ms = assumedMs(source);
  const media = { queue: TASK_QUEUES.media, chunks: 1, ms };
  if (ms <= SHORT_RECORDING_MS) return [media, { queue: TASK_QUEUES.speechShort, chunks: 1, ms }];
  return [media, { queue: TASK_QUEUES.speech, chunks: Math.ceil(ms / CHUNK_MS), ms }];
}
