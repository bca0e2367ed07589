import type { Dashboard } from "./grafana.ts";
import { highest, of, quantile, rate, rates } from "./promql.ts";

const LONG_ANSWERS = 'route!~"/v1/(files|chat/completions|embeddings)"';

export const service: Dashboard = {
  uid: "escriba-service",
  title: "Service",
  description: "What clients get: transcripts, requests, chat and embeddings, and how the processes are.",
  rows: [
    {
      title: "Transcripts",
      panels: [
        {
          title: "In flight",
          description: "Queued and processing now.",
          unit: "short",
          as: "stat",
          queries: [[highest("status", "escriba_transcripts_in_flight"), "{{status}}"]],
        },
        {
          title: "Audio of the last day",
          description: "In completed transcripts.",
          unit: "s",
          as: "stat",
          queries: [[`sum(increase(${of("escriba_transcript_audio_seconds_total")}[1d]))`, "audio"]],
        },
        {
          title: "Oldest",
          description: "Since its POST. At 48 h it fails.",
          unit: "s",
          as: "stat",
          queries: [[highest("status", "escriba_oldest_transcript_seconds"), "{{status}}"]],
        },
        {
          title: "Finished",
          description: "Completed, and failed by code.",
          unit: "short",
          stacked: true,
          queries: [
            [
              `sum by (outcome, code) (increase(${of("escriba_transcripts_finished_total")}[$__rate_interval])) > 0`,
              "{{outcome}} {{code}}",
            ],
          ],
        },
        {
          title: "From POST to result",
          description: "Waiting included; short is up to five minutes of audio.",
          unit: "s",
          queries: [
            [quantile(0.5, "length", "escriba_transcript_seconds"), "p50 {{length}}"],
            [quantile(0.95, "length", "escriba_transcript_seconds"), "p95 {{length}}"],
          ],
        },
        {
          title: "Warnings",
          description: "What completed transcripts lack or say.",
          unit: "short",
          queries: [
            [
              `sum by (warning) (increase(${of("escriba_transcript_warnings_total")}[$__rate_interval]))`,
              "{{warning}}",
            ],
          ],
        },
      ],
    },
    {
      title: "Requests",
      panels: [
        {
          title: "Requests a second",
          description: "By route.",
          unit: "reqps",
          stacked: true,
          queries: [[rates("route", "escriba_http_request_duration_seconds_count"), "{{route}}"]],
        },
        {
          title: "Errors a second",
          description: "By code; 5xx are ours.",
          unit: "reqps",
          queries: [[rates("code", "escriba_http_errors_total"), "{{code}}"]],
        },
        {
          title: "Time of an answer",
          description: "Without uploads, chat and embeddings, which take as long as their client or model.",
          unit: "s",
          queries: [
            [quantile(0.5, "", "escriba_http_request_duration_seconds", LONG_ANSWERS), "p50"],
            [quantile(0.99, "", "escriba_http_request_duration_seconds", LONG_ANSWERS), "p99"],
          ],
        },
        {
          title: "Being answered",
          description: "Requests at this moment, by pod.",
          unit: "short",
          queries: [[`sum by (pod) (${of("escriba_http_requests_in_flight")})`, "{{pod}}"]],
        },
        {
          title: "Uploads",
          description: "Bytes of accepted files a second.",
          unit: "Bps",
          queries: [[rates("", "escriba_uploaded_bytes_total"), "uploads"]],
        },
      ],
    },
    {
      title: "Chat, embeddings and understanding",
      panels: [
        {
          title: "Calls of models a second",
          description: "By model and how they ended; a call with retries is one.",
          unit: "reqps",
          queries: [[rates("model, outcome", "escriba_upstream_requests_total"), "{{model}} {{outcome}}"]],
        },
        {
          title: "First chunk of a chat",
          description: "From the checked request on.",
          unit: "s",
          queries: [
            [quantile(0.5, "model", "escriba_chat_first_chunk_seconds"), "p50 {{model}}"],
            [quantile(0.95, "model", "escriba_chat_first_chunk_seconds"), "p95 {{model}}"],
          ],
        },
        {
          title: "Circuit breakers",
          description: "0 closed, 1 half open, 2 open.",
          unit: "short",
          queries: [[highest("model, pod", "escriba_upstream_breaker_state"), "{{model}} {{pod}}"]],
        },
        {
          title: "Retries",
          description: "Tries after the first, by why the one before failed.",
          unit: "reqps",
          queries: [[rates("model, reason", "escriba_upstream_retries_total"), "{{model}} {{reason}}"]],
        },
        {
          title: "Modules",
          description: "Asked for on transcripts, by what became of them.",
          unit: "short",
          queries: [[rates("module, outcome", "escriba_understanding_modules_total"), "{{module}} {{outcome}}"]],
        },
        {
          title: "Understanding a transcript",
          description: "One group of modules, all questions and tries.",
          unit: "s",
          queries: [[quantile(0.95, "group", "escriba_understanding_seconds"), "p95 {{group}}"]],
        },
      ],
    },
    {
      title: "Recognition",
      panels: [
        {
          title: "Audio-seconds a second",
          description: "Speech that all workers recognise.",
          unit: "short",
          queries: [[rates("pod", "escriba_audio_recognised_seconds_total"), "{{pod}}"]],
        },
        {
          title: "Real-time factor",
          description: "Seconds of compute for a second of speech.",
          unit: "short",
          queries: [
            [
              `${rates("", "escriba_recognition_seconds_total")} / ${rates("", "escriba_audio_recognised_seconds_total")}`,
              "all workers",
            ],
          ],
        },
        {
          title: "Windows heard again",
          description: "Share of windows, by why.",
          unit: "percentunit",
          queries: [
            [
              `${rates("reason", "escriba_window_retry_reasons_total")} / on () group_left ${rates("", "escriba_windows_recognised_total")}`,
              "{{reason}}",
            ],
          ],
        },
        {
          title: "A chunk",
          description: "From its start to its last window in the store.",
          unit: "s",
          queries: [
            [quantile(0.5, "", "escriba_chunk_seconds"), "p50"],
            [quantile(0.95, "", "escriba_chunk_seconds"), "p95"],
          ],
        },
        {
          title: "Voices told apart",
          description: "Transcripts by how many; 0 when that was not possible.",
          unit: "short",
          queries: [[rates("speakers", "escriba_diarised_total"), "{{speakers}}"]],
        },
      ],
    },
    {
      title: "Processes",
      panels: [
        {
          title: "Cores",
          description: "CPU-seconds a second.",
          unit: "short",
          queries: [[`sum by (pod, process) (${rate("process_cpu_seconds_total")})`, "{{process}} {{pod}}"]],
        },
        {
          title: "Memory",
          description: "Resident, of the process itself; recognition and decoding are children of it.",
          unit: "bytes",
          queries: [[`sum by (pod, process) (${of("process_resident_memory_bytes")})`, "{{process}} {{pod}}"]],
        },
        {
          title: "Event loop",
          description: "How late it is (p99): what a process does besides waits so long.",
          unit: "s",
          queries: [[highest("pod, process", "nodejs_eventloop_lag_p99_seconds"), "{{process}} {{pod}}"]],
        },
      ],
    },
    {
      title: "The small model server, where it is used",
      panels: [
        {
          title: "Waiting and running",
          description: "Requests, by kind.",
          unit: "short",
          queries: [
            [`sum by (kind) (${of("escriba_inference_queue_depth")})`, "{{kind}} waiting"],
            [`sum by (kind) (${of("escriba_inference_running")})`, "{{kind}} running"],
          ],
        },
        {
          title: "Tokens a second",
          description: "Read and written in finished answers.",
          unit: "short",
          queries: [[rates("kind, direction", "escriba_inference_tokens_total"), "{{kind}} {{direction}}"]],
        },
        {
          title: "Memory of models",
          description: "Of the process that holds each.",
          unit: "bytes",
          queries: [[`sum by (kind) (${of("escriba_inference_model_resident_bytes")})`, "{{kind}}"]],
        },
      ],
    },
  ],
};
