import type { AlertCase } from "./case.ts";

const voice = { namespace: "voice" };
const finished = (outcome: string, code = "") =>
  `escriba_transcripts_finished_total{namespace="voice",pod="a",outcome="${outcome}",code="${code}"}`;
const steps = (code: string) =>
  `escriba_step_failures_total{namespace="voice",pod="a",step="recognise",code="${code}"}`;
const modules = (outcome: string) =>
  `escriba_understanding_modules_total{namespace="voice",pod="a",module="iab",outcome="${outcome}"}`;
const upstream = (outcome: string) =>
  `escriba_upstream_requests_total{namespace="voice",pod="a",model="service-embed-1",outcome="${outcome}"}`;
const breaker = 'escriba_upstream_breaker_state{namespace="voice",pod="a",model="service-embed-1"}';
const model = { ...voice, model: "service-embed-1" };

export const workCases: AlertCase[] = [
  {
    alert: "EscribaTranscriptsFail",
    severity: "critical",
    labels: { ...voice, code: "recognition_crashed" },
    at: 20,
    fires: { [finished("failed", "recognition_crashed")]: "0x10 1x20" },
    quiet: { [finished("failed", "audio_corrupt")]: "0+5x30", [finished("completed")]: "0+9x30" },
  },
  {
    alert: "EscribaStepsFail",
    severity: "warning",
    labels: { ...voice, step: "recognise", code: "store_failed" },
    at: 30,
    fires: { [steps("store_failed")]: "0+4x40" },
    quiet: { [steps("store_failed")]: "0x20 1x20", [steps("audio_unreachable")]: "0+9x40" },
  },
  {
    alert: "EscribaRecognitionCrashes",
    severity: "warning",
    labels: { ...voice, pod: "a" },
    at: 20,
    fires: { [steps("child_crashed")]: "0x10 4x20" },
    quiet: { [steps("child_crashed")]: "0x10 1x20", [steps("store_failed")]: "0+4x30" },
  },
  {
    alert: "EscribaRecognitionRetries",
    severity: "warning",
    labels: voice,
    at: 70,
    fires: {
      'escriba_windows_recognised_total{namespace="voice",pod="a",model="whisper"}': "0+100x90",
      'escriba_windows_retried_total{namespace="voice",pod="a"}': "0+30x90",
    },
    quiet: {
      'escriba_windows_recognised_total{namespace="voice",pod="a",model="whisper"}': "0+100x90",
      'escriba_windows_retried_total{namespace="voice",pod="a"}': "0+5x90",
    },
  },
  {
    alert: "EscribaTranscriptsWarned",
    severity: "warning",
    labels: { ...voice, warning: "vad_failed" },
    at: 60,
    fires: {
      'escriba_transcript_warnings_total{namespace="voice",pod="a",warning="vad_failed"}': "0+2x90",
      [finished("completed")]: "0+10x90",
    },
    quiet: {
      'escriba_transcript_warnings_total{namespace="voice",pod="a",warning="lid_failed"}': "0x10 1x80",
      'escriba_transcript_warnings_total{namespace="voice",pod="a",warning="asr_no_segments"}': "0+9x90",
      [finished("completed")]: "0+10x90",
    },
  },
  {
    alert: "EscribaUnderstandingUnavailable",
    severity: "warning",
    labels: { ...voice, module: "iab" },
    at: 60,
    fires: { [modules("delivered")]: "0+7x90", [modules("unavailable")]: "0+3x90" },
    quiet: { [modules("delivered")]: "0+9x90", [modules("failed")]: "0+1x90" },
  },
  {
    alert: "EscribaUpstreamBreakerOpen",
    severity: "critical",
    labels: model,
    at: 10,
    fires: { [breaker]: "0 0 2 2 1 2 2 2 1 2 2x10" },
    quiet: { [breaker]: "0 2 0 2 0 1 0 2 0 2 0 2 0 2 0 0x10" },
  },
  {
    alert: "EscribaUpstreamUnavailable",
    severity: "warning",
    labels: model,
    at: 30,
    fires: { [upstream("ok")]: "0+90x40", [upstream("unavailable")]: "0+10x40" },
    // Clients that leave are no fault of the server's, nor are requests that it refuses.
    quiet: { [upstream("ok")]: "0+90x40", [upstream("cut")]: "0+50x40", [upstream("refused")]: "0+50x40" },
  },
];
