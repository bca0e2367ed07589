import { Counter, Gauge, Histogram, type Registry } from "../process/metrics.ts";
import type { WindowResult } from "../speech/types.ts";
import { EVENT_NAMES } from "../webhooks/events.ts";
import { OUTBOX } from "./names.ts";

export interface RecognitionMetrics {
  /** A window's result is in the store. */
  recognised(result: WindowResult, audioSeconds: number): void;
  redone: { inc(windows: number): void };
  chunkSeconds: { observe(seconds: number): void };
}

export interface DiarizationMetrics {
  /** Speakers were told apart; 0 when that was not possible. */
  diarised(speakers: number): void;
}

export interface WorkerMetrics {
  recognition: RecognitionMetrics;
  diarization: DiarizationMetrics;
  stepFailures: Counter<"step" | "code">;
  stepSeconds: Histogram<"step" | "outcome">;
  stepWaitSeconds: Histogram<"queue">;
}

/** `slots` is asked whenever the metrics are read. */
export function createWorkerMetrics(
  registry: Registry,
  slots: () => Iterable<{ queue: string; held: number; busy: number }>,
): WorkerMetrics {
  const registers = [registry];
  const windows = new Counter({
    name: "escriba_windows_recognised_total",
    help: "Windows of up to 30 s of speech whose text was found and stored, by the model that heard them.",
    labelNames: ["model"],
    registers,
  });
  const retried = new Counter({
    name: "escriba_windows_retried_total",
    help: "Windows whose first text tripped a guard and was sought again.",
    registers,
  });
  const reasons = new Counter({
    name: "escriba_window_retry_reasons_total",
    help: "Why windows were sought again (speech/whisper/guards.ts); a window may have several reasons.",
    labelNames: ["reason"],
    registers,
  });
  const compute = new Counter({
    name: "escriba_recognition_seconds_total",
    help: "Seconds of compute spent on windows.",
    registers,
  });
  const audio = new Counter({
    name: "escriba_audio_recognised_seconds_total",
    help: "Seconds of speech in the windows recognised.",
    registers,
  });
  new Gauge({
    name: "escriba_worker_slots",
    help: "Slots of a task queue: held by a poll or a step, and those of them busy with a step.",
    labelNames: ["queue", "state"],
    registers,
    collect() {
      for (const { queue, held, busy } of slots()) {
        this.set({ queue, state: "held" }, held);
        this.set({ queue, state: "busy" }, busy);
      }
    },
  });
  const diarised = new Counter({
    name: "escriba_diarised_total",
    help: "Transcripts by how many voices were told apart; 0 when that was not possible.",
    labelNames: ["speakers"],
    registers,
  });
  return {
    diarization: {
      diarised: (speakers) => diarised.inc({ speakers: speakers > 4 ? "5+" : String(speakers) }),
    },
    recognition: {
      recognised: (result, audioSeconds) => {
        windows.inc({ model: result.model ?? "whisper" });
        if (result.retries.length > 0) retried.inc();
        for (const reason of result.reasons ?? []) reasons.inc({ reason });
        compute.inc(result.computeMs / 1000);
        audio.inc(audioSeconds);
      },
      redone: new Counter({
        name: "escriba_windows_redone_total",
        help: "At most so many windows were under way when an earlier attempt ended, and were heard again.",
        registers,
      }),
      chunkSeconds: new Histogram({
        name: "escriba_chunk_seconds",
        help: "Time from a chunk's start to its last window in the store.",
        buckets: [0.5, 1, 2, 5, 10, 20, 40, 80, 160, 320],
        registers,
      }),
    },
    stepFailures: new Counter({
      name: "escriba_step_failures_total",
      help: "Attempts of a step that failed, by code (workflows/failures.ts).",
      labelNames: ["step", "code"],
      registers,
    }),
    stepSeconds: new Histogram({
      name: "escriba_step_seconds",
      help: "Time of one attempt of a step.",
      labelNames: ["step", "outcome"],
      buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 1800],
      registers,
    }),
    stepWaitSeconds: new Histogram({
      name: "escriba_step_wait_seconds",
      help: "Time that an attempt of a step waited on its task queue for a worker.",
      labelNames: ["queue"],
      buckets: [0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600, 14_400],
      registers,
    }),
  };
}

export interface OutboxMetrics {
  lagSeconds: Gauge<"kind">;
  waiting: Gauge<"kind">;
  served: Counter<"kind" | "outcome">;
  inFlight: Gauge<"status">;
  swept: Counter<"action">;
  oldestSeconds: Gauge<"status">;
  unexplainedHolds: Gauge;
  withoutCredit: Gauge;
  endpoints: Gauge<"status">;
}

const SWEPT = ["restarted", "failed", "cleaned", "released", "delivery_restarted"];

/**
 * Of the `transcripts` worker, which relays and sweeps. What is rare is there from the beginning with 0: Prometheus sees
 * no increase in a series that begins with its first count.
 */
export function createOutboxMetrics(registry: Registry): OutboxMetrics {
  const metrics = outboxMetrics(registry);
  for (const action of SWEPT) metrics.swept.inc({ action }, 0);
  for (const kind of [...Object.values(OUTBOX), ...EVENT_NAMES]) {
    for (const outcome of ["done", "retry"]) metrics.served.inc({ kind, outcome }, 0);
  }
  return metrics;
}

function outboxMetrics(registry: Registry): OutboxMetrics {
  const registers = [registry];
  return {
    lagSeconds: new Gauge({
      name: "escriba_outbox_lag_seconds",
      help: "Age of the oldest outbox row that waits.",
      labelNames: ["kind"],
      registers,
    }),
    waiting: new Gauge({
      name: "escriba_outbox_waiting",
      help: "Outbox rows that wait.",
      labelNames: ["kind"],
      registers,
    }),
    served: new Counter({
      name: "escriba_outbox_served_total",
      help: "Outbox rows served by the relay.",
      labelNames: ["kind", "outcome"],
      registers,
    }),
    inFlight: new Gauge({
      name: "escriba_transcripts_in_flight",
      help: "Transcripts that are queued or processing.",
      labelNames: ["status"],
      registers,
    }),
    swept: new Counter({
      name: "escriba_swept_total",
      help: "What the sweeper mended: transcripts restarted, failed, cleaned; calls released.",
      labelNames: ["action"],
      registers,
    }),
    oldestSeconds: new Gauge({
      name: "escriba_oldest_transcript_seconds",
      help: "Age, since its POST, of the oldest transcript that is queued or processing; 0 when there is none.",
      labelNames: ["status"],
      registers,
    }),
    unexplainedHolds: new Gauge({
      name: "escriba_unexplained_holds_eur",
      help: "Euros that the ledger holds for no transcript in flight and no running call. Always 0, or holds leak.",
      registers,
    }),
    withoutCredit: new Gauge({
      name: "escriba_organizations_without_credit",
      help: "Organizations that paid in once and have nothing to spend now.",
      registers,
    }),
    endpoints: new Gauge({
      name: "escriba_webhook_endpoints",
      help: "Endpoints of webhooks, by whether they are enabled.",
      labelNames: ["status"],
      registers,
    }),
  };
}
