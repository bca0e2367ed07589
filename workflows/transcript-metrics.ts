import { Counter, Histogram, type Registry } from "../process/metrics.ts";
import { FAILURES } from "./failures.ts";

/** What a transcript that was settled now tells of itself. */
export interface SettledTranscript {
  audioSeconds: number;
  /** From its POST. */
  seconds: number;
  chargedEur: number;
  writtenOffEur: number;
  warnings: readonly string[];
}

export interface TranscriptMetrics {
  completed(transcript: SettledTranscript): void;
  failed(code: string): void;
}

/** Of a `transcripts` worker. A repeated step counts nothing: only the one that made the row final does. */
export function createTranscriptMetrics(registry: Registry): TranscriptMetrics {
  const registers = [registry];
  const finished = new Counter({
    name: "escriba_transcripts_finished_total",
    help: "Transcripts that became final: completed, or failed with a code (workflows/failures.ts).",
    labelNames: ["outcome", "code"],
    registers,
  });
  const seconds = new Histogram({
    name: "escriba_transcript_seconds",
    help: "From a transcript's POST to its result, waiting included.",
    labelNames: ["length"],
    buckets: [5, 15, 30, 60, 120, 300, 900, 1_800, 3_600, 14_400, 43_200, 172_800],
    registers,
  });
  const audio = new Counter({
    name: "escriba_transcript_audio_seconds_total",
    help: "Seconds of audio in completed transcripts.",
    registers,
  });
  const warnings = new Counter({
    name: "escriba_transcript_warnings_total",
    help: "Warnings of completed transcripts, by what stands before the colon.",
    labelNames: ["warning"],
    registers,
  });
  const charged = new Counter({
    name: "escriba_transcript_charged_eur_total",
    help: "Euros charged for completed transcripts.",
    registers,
  });
  const writtenOff = new Counter({
    name: "escriba_transcript_written_off_eur_total",
    help: "Euros of completed transcripts that neither hold nor balance covered.",
    registers,
  });
  // Prometheus sees no increase in a series that begins with its first count.
  finished.inc({ outcome: "completed", code: "" }, 0);
  for (const code of Object.keys(FAILURES)) finished.inc({ outcome: "failed", code }, 0);
  return {
    completed(transcript) {
      finished.inc({ outcome: "completed", code: "" });
      seconds.observe({ length: transcript.audioSeconds <= 300 ? "short" : "long" }, transcript.seconds);
      audio.inc(transcript.audioSeconds);
      charged.inc(transcript.chargedEur);
      writtenOff.inc(transcript.writtenOffEur);
      // A reason may follow (`lid_failed: …`), or a module (`module_unavailable:summarization`): one series each is too many.
      for (const warning of transcript.warnings) warnings.inc({ warning: warning.split(":")[0] ?? "" });
    },
    failed: (code) => finished.inc({ outcome: "failed", code }),
  };
}
