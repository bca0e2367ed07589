import type { AlertCase } from "./case.ts";

const of = (name: string, queue = "speech", pod = "a") =>
  `escriba_queue_${name}{namespace="voice",pod="${pod}",queue="${queue}"}`;
const voice = { namespace: "voice" };
const speech = { ...voice, queue: "speech" };

export const queueCases: AlertCase[] = [
  {
    alert: "EscribaTranscriptsWorkerAbsent",
    severity: "critical",
    labels: {},
    at: 10,
    fires: { 'escriba_worker_slots{namespace="voice"}': "1x20" },
    quiet: { 'escriba_outbox_waiting{namespace="voice",kind="transcript.start"}': "0x20" },
  },
  {
    alert: "EscribaQueueWithoutWorker",
    severity: "critical",
    labels: speech,
    at: 10,
    fires: { [of("backlog")]: "3x20", [of("workers")]: "0x20" },
    // Nobody and nothing to do; work and somebody; another replica that saw somebody.
    quiet: {
      [of("backlog", "media")]: "0x20",
      [of("workers", "media")]: "0x20",
      [of("backlog")]: "3x20",
      [of("workers")]: "0x20",
      [of("workers", "speech", "b")]: "1x20",
    },
  },
  {
    alert: "EscribaQueueWaitsLong",
    severity: "warning",
    labels: speech,
    at: 30,
    fires: { [of("oldest_seconds")]: "0+60x60" },
    quiet: { [of("oldest_seconds")]: "800x60" },
  },
  {
    alert: "EscribaQueueNotFalling",
    severity: "warning",
    labels: speech,
    at: 70,
    fires: { [of("backlog")]: "40+1x90", [of("oldest_seconds")]: "400x90" },
    // One falls; one is empty now and then; one is young.
    quiet: {
      [of("backlog")]: "400-4x90",
      [of("oldest_seconds")]: "400x90",
      [of("backlog", "media")]:
        "5 0 5 5 5 0 5 5 5 0 5 5 5 0 5 5 5 0 5 5 5 0 5 5 5 0 5 5 5 0 5 5 5 0 5 5 5 0 5 5 5 0 5 5 5 0x30",
      [of("oldest_seconds", "media")]: "400x90",
      [of("backlog", "language")]: "40+1x90",
      [of("oldest_seconds", "language")]: "10x90",
    },
  },
  {
    alert: "EscribaOutboxLag",
    severity: "critical",
    labels: { ...voice, kind: "transcript.start" },
    at: 10,
    fires: { 'escriba_outbox_lag_seconds{namespace="voice",kind="transcript.start"}': "130x20" },
    quiet: { 'escriba_outbox_lag_seconds{namespace="voice",kind="transcript.start"}': "60x20" },
  },
  {
    alert: "EscribaTranscriptOld",
    severity: "warning",
    labels: { ...voice, status: "processing" },
    at: 5,
    fires: { 'escriba_oldest_transcript_seconds{namespace="voice",status="processing"}': "90000x20" },
    quiet: { 'escriba_oldest_transcript_seconds{namespace="voice",status="processing"}': "36000x20" },
  },
  {
    alert: "EscribaTranscriptsRestarted",
    severity: "warning",
    labels: voice,
    at: 30,
    fires: { 'escriba_swept_total{namespace="voice",action="restarted"}': "0x10 3x40" },
    quiet: {
      'escriba_swept_total{namespace="voice",action="restarted"}': "2x60",
      'escriba_swept_total{namespace="voice",action="cleaned"}': "0+1x60",
    },
  },
];
