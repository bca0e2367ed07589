import type { AlertCase } from "./case.ts";

const requests = (route = "/v1/transcripts") =>
  `escriba_http_request_duration_seconds_count{namespace="voice",pod="a",route="${route}"}`;
const errors = (code: string, route = "/v1/transcripts") =>
  `escriba_http_errors_total{namespace="voice",pod="a",route="${route}",code="${code}"}`;
const bucket = (le: string, route = "/v1/transcripts") =>
  `escriba_http_request_duration_seconds_bucket{namespace="voice",pod="a",route="${route}",le="${le}"}`;
const voice = { namespace: "voice" };

export const apiCases: AlertCase[] = [
  {
    alert: "EscribaApiAbsent",
    severity: "critical",
    labels: {},
    at: 10,
    fires: { 'escriba_worker_slots{namespace="voice"}': "1x20" },
    quiet: { 'escriba_http_requests_in_flight{namespace="voice"}': "0x20" },
  },
  {
    alert: "EscribaApiErrors",
    severity: "critical",
    labels: voice,
    at: 15,
    fires: { [requests()]: "0+1000x20", [errors("internal_error")]: "0+20x20" },
    // Refusals and dependencies are others' matter; one in two hundred is below the line.
    quiet: {
      [requests()]: "0+1000x20",
      [errors("internal_error")]: "0+5x20",
      [errors("invalid_parameter")]: "0+500x20",
      [errors("upstream_unavailable")]: "0+400x20",
    },
  },
  {
    alert: "EscribaApiDependencyUnavailable",
    severity: "critical",
    labels: voice,
    at: 10,
    fires: { [requests()]: "0+1000x20", [errors("upstream_unavailable")]: "0+50x20" },
    quiet: {
      [requests()]: "0+1000x20",
      [requests("/v1/chat/completions")]: "0+100x20",
      [errors("upstream_unavailable", "/v1/chat/completions")]: "0+100x20",
    },
  },
  {
    alert: "EscribaApiSlow",
    severity: "warning",
    labels: voice,
    at: 25,
    fires: { [bucket("1")]: "0+950x30", [bucket("2.5")]: "0+1000x30", [bucket("+Inf")]: "0+1000x30" },
    quiet: {
      [bucket("1")]: "0+1000x30",
      [bucket("2.5")]: "0+1000x30",
      [bucket("+Inf")]: "0+1000x30",
      [bucket("1", "/v1/files")]: "0x30",
      [bucket("600", "/v1/files")]: "0+1000x30",
      [bucket("+Inf", "/v1/files")]: "0+1000x30",
    },
  },
  {
    alert: "EscribaApiBusy",
    severity: "warning",
    labels: { ...voice, pod: "a" },
    at: 15,
    fires: { 'nodejs_eventloop_lag_p99_seconds{namespace="voice",pod="a",process="api"}': "0.4x20" },
    quiet: {
      'nodejs_eventloop_lag_p99_seconds{namespace="voice",pod="a",process="api"}': "0.02x20",
      'nodejs_eventloop_lag_p99_seconds{namespace="voice",pod="b",process="worker"}': "0.4x20",
    },
  },
];
