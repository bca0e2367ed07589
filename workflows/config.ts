import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { port, readSettings, SettingsError, shared } from "../process/settings.ts";
import { type TracingSettings, tracingFields } from "../process/tracing/settings.ts";
import type { Device } from "../speech/engine/sessions.ts";
import { FAST_MODELS, type FastModel } from "../speech/recognition/fast-models.ts";
import { type Networks, parseNetworks } from "../storage/public-address.ts";
import { type Calibration, calibrationSetting } from "../understanding/roles/calibration-setting.ts";
import { type Upstreams, upstreamsSetting } from "../upstream/settings.ts";
import { SECRETS_KEY, type SecretsKeys, secretsKeySetting } from "../webhooks/secrets.ts";
import { TASK_QUEUES } from "./names.ts";
import { readTemporalSettings, type TemporalSettings, temporalFields } from "./temporal-settings.ts";

/** In the order a transcript meets them. */
export const WORKER_QUEUES = [
  TASK_QUEUES.transcripts,
  TASK_QUEUES.webhooks,
  TASK_QUEUES.fetch,
  TASK_QUEUES.media,
  TASK_QUEUES.speech,
  TASK_QUEUES.speechShort,
  TASK_QUEUES.language,
] as const;
export type WorkerQueue = (typeof WORKER_QUEUES)[number];

const slots = (count: number) => z.coerce.number().int().min(1).max(1_000).default(count);

/** Settings of `escriba worker`. */
export const schema = z.object({
  ESCRIBA_QUEUES: z
    .string()
    .default("all")
    .describe(`Task queues that this worker serves, separated by commas: ${WORKER_QUEUES.join(", ")}; or all.`),
  ESCRIBA_LOG_LEVEL: shared.ESCRIBA_LOG_LEVEL,
  ...temporalFields,
  ESCRIBA_OBJECT_STORE: shared.ESCRIBA_OBJECT_STORE,
  ESCRIBA_DATABASE_URL: z
    .string()
    .default("")
    .describe("PostgreSQL connection string; needed by the transcripts and webhooks queues, and used by no other."),
  ESCRIBA_DATABASE_POOL: slots(10).describe("Most connections to PostgreSQL this process opens."),
  ESCRIBA_MODELS_DIR: shared.ESCRIBA_MODELS_DIR,
  XDG_CACHE_HOME: z.string().default("").describe("Base directory of the default model cache."),
  ESCRIBA_OFFLINE: z.stringbool().default(false).describe("Fetch nothing: the models must be in the cache already."),
  ESCRIBA_SCRATCH_DIR: z
    .string()
    .default(join(tmpdir(), "escriba-scratch"))
    .describe("Local files of the steps under way: a recording and its decoded audio, 1.2 GB for ten hours."),
  ESCRIBA_SPEECH_THREADS: z.coerce
    .number()
    .int()
    .min(1)
    .max(256)
    .default(availableParallelism())
    .describe("Cores that recognition may use."),
  ESCRIBA_SPEECH_BATCH: z.coerce
    .number()
    .int()
    .min(1)
    .max(16)
    .default(2)
    .describe("Windows of 30 s that recognition decodes side by side; a killed worker redoes at most these."),
  ESCRIBA_SPEAKER_MODEL: z
    .enum(["campplus", "none"])
    .default("campplus")
    .describe("Model that tells voices apart; with none, transcripts say diarization_unavailable."),
  ESCRIBA_SPEECH_FAST_MODEL: z
    .enum(["", ...FAST_MODELS])
    .default("")
    .describe(
      "Model that hears windows whose language it knows, before Whisper: moonshine-tiny (English) or parakeet-tdt-0.6b-v3.",
    ),
  ESCRIBA_SPEECH_DEVICE: z
    .templateLiteral(["cuda:", z.int().min(0).max(63)])
    .or(z.literal("cpu"))
    .default("cpu")
    .describe("Where encoders run: cpu, or cuda:N with onnxruntime's CUDA libraries installed."),
  ESCRIBA_SLOTS_TRANSCRIPTS: slots(16).describe("Database steps at a time."),
  ESCRIBA_SLOTS_WEBHOOKS: slots(32).describe(
    "Deliveries and mails at a time; a quarter of them go to one endpoint, half to one organization.",
  ),
  ESCRIBA_SLOTS_FETCH: slots(4).describe("Recordings fetched from URLs at a time."),
  ESCRIBA_SLOTS_MEDIA: slots(1).describe("Recordings decoded at a time; each takes a core."),
  ESCRIBA_SLOTS_SPEECH: slots(2).describe(
    "Chunks held at a time; one is recognised while the next one's audio is brought.",
  ),
  ESCRIBA_SLOTS_SPEECH_SHORT: slots(1).describe("Slots kept for recordings of up to five minutes."),
  ESCRIBA_SLOTS_LANGUAGE: slots(8).describe(
    "Calls of the language model for transcripts at a time; what one server can answer side by side.",
  ),
  ESCRIBA_UPSTREAMS: upstreamsSetting(),
  ESCRIBA_UNDERSTANDING_MODEL: z
    .string()
    .min(1)
    .default("service-llm-1-small")
    .describe("Model id whose server in ESCRIBA_UPSTREAMS reads transcripts; without one no module is available."),
  ESCRIBA_UNDERSTANDING_PATIENCE: z.coerce
    .number()
    .min(0)
    .max(10_000)
    .default(0)
    .describe(
      "Seconds that a group of modules may take for each second of recognition; what is missing then is unavailable. 0 means as long as it takes.",
    ),
  ESCRIBA_ROLES_CALIBRATION: calibrationSetting(),
  ESCRIBA_AUDIO_URL_NETWORKS: z
    .string()
    .default("")
    .describe("Networks that audio_url may reach besides public addresses, separated by commas, e.g. 10.1.0.0/16."),
  ESCRIBA_WEBHOOK_NETWORKS: z
    .string()
    .default("")
    .describe("Networks that webhooks may reach besides public addresses, separated by commas, e.g. 10.1.0.0/16."),
  ESCRIBA_EXTRA_CA_FILE: z
    .string()
    .default("")
    .describe("PEM file of authorities to trust besides the usual ones, for webhooks, audio_url and mail."),
  ESCRIBA_SECRETS_KEY: secretsKeySetting().optional().describe(SECRETS_KEY),
  ESCRIBA_SMTP_URL: z
    .string()
    .default("")
    .refine((url) => url === "" || /^smtps?:$/.test(URL.parse(url)?.protocol ?? ""), {
      error: "must be an smtp:// or smtps:// URL",
    })
    .describe("Mail server for notices to members, e.g. smtp://user:password@mail.example.com:587."),
  ESCRIBA_MAIL_FROM: z
    .string()
    .default("Escriba <escriba@localhost>")
    .describe("Sender of notices to members, e.g. Escriba <avisos@example.com>."),
  ESCRIBA_MAIL_DIR: z
    .string()
    .default("")
    .describe(
      "Without a mail server: directory that notices are written to as .eml files; empty means none is written.",
    ),
  UV_THREADPOOL_SIZE: slots(4).describe(
    "Node's threads for name lookups and files. Where webhooks are delivered, more than ESCRIBA_SLOTS_WEBHOOKS, or one receiver's slow name server delays others.",
  ),
  ESCRIBA_GRACE_SECONDS: z.coerce
    .number()
    .min(0)
    .max(86_400)
    .default(120)
    .describe("Longest time to finish the steps at hand when asked to end; twice the longest chunk is safe."),
  ESCRIBA_METRICS_HOST: shared.ESCRIBA_METRICS_HOST,
  ESCRIBA_METRICS_PORT: port().default(9464).describe("Port of the metrics and health listener."),
  ESCRIBA_DRAIN_TOKEN: z
    .string()
    .default("")
    .describe("What /status and /drain of the metrics listener want as a bearer token; empty means nothing."),
  ...tracingFields,
  ESCRIBA_WORKFLOW_BUNDLE: z
    .string()
    .default("")
    .describe("Prebuilt bundle of the workflow code; empty means it is built when the worker starts (about 1 s)."),
});

export interface WorkerConfig {
  queues: readonly WorkerQueue[];
  logLevel: string;
  temporal: TemporalSettings;
  objectStore: string;
  /** Null unless `transcripts` or `webhooks` is among the queues. */
  database: { url: string; connections: number } | null;
  models: { directory: string; cacheHome: string; offline: boolean };
  scratch: string;
  /** `fastModel` is empty where Whisper hears everything. */
  speech: { threads: number; batch: number; fastModel: FastModel | ""; device: Device };
  /** Null: voices are not told apart. */
  speakerModel: "campplus" | null;
  slots: Readonly<Record<WorkerQueue, number>>;
  /** Servers of models, the one that reads transcripts, and how long it may take for a second of recognition. */
  language: { upstreams: Upstreams; model: string; patience: number; rolesCalibration: Calibration | null };
  audioUrlNetworks: Networks;
  extraCaFile: string | null;
  /** Null unless `webhooks` is among the queues. */
  webhooks: {
    keys: SecretsKeys;
    networks: Networks;
    mail: { smtpUrl: string | null; directory: string | null; from: string };
  } | null;
  /** Threads of the process for name lookups and files. */
  threadPool: number;
  graceMs: number;
  metrics: { host: string; port: number };
  /** Null: whoever reaches the metrics listener may drain. */
  drainToken: string | null;
  tracing: TracingSettings;
  workflowBundle: string | null;
}

/** Throws SettingsError with what to change. */
export function workerConfig(environment: Record<string, string | undefined>): WorkerConfig {
  const settings = readSettings(schema, environment);
  const queues = readQueues(settings.ESCRIBA_QUEUES);
  const ofDatabase = queues.find((queue) => queue === TASK_QUEUES.transcripts || queue === TASK_QUEUES.webhooks);
  if (ofDatabase && settings.ESCRIBA_DATABASE_URL === "") {
    throw new SettingsError(
      `settings are not usable:\n  ESCRIBA_DATABASE_URL: the ${ofDatabase} queue needs a database`,
    );
  }
  return Object.freeze({
    queues,
    logLevel: settings.ESCRIBA_LOG_LEVEL,
    temporal: readTemporalSettings(settings),
    objectStore: settings.ESCRIBA_OBJECT_STORE,
    database: ofDatabase ? { url: settings.ESCRIBA_DATABASE_URL, connections: settings.ESCRIBA_DATABASE_POOL } : null,
    models: {
      directory: settings.ESCRIBA_MODELS_DIR,
      cacheHome: settings.XDG_CACHE_HOME,
      offline: settings.ESCRIBA_OFFLINE,
    },
    scratch: settings.ESCRIBA_SCRATCH_DIR,
    speech: {
      threads: settings.ESCRIBA_SPEECH_THREADS,
      batch: settings.ESCRIBA_SPEECH_BATCH,
      fastModel: settings.ESCRIBA_SPEECH_FAST_MODEL,
      device: settings.ESCRIBA_SPEECH_DEVICE,
    },
    speakerModel: settings.ESCRIBA_SPEAKER_MODEL === "none" ? null : settings.ESCRIBA_SPEAKER_MODEL,
    slots: {
      [TASK_QUEUES.transcripts]: settings.ESCRIBA_SLOTS_TRANSCRIPTS,
      [TASK_QUEUES.webhooks]: settings.ESCRIBA_SLOTS_WEBHOOKS,
      [TASK_QUEUES.fetch]: settings.ESCRIBA_SLOTS_FETCH,
      [TASK_QUEUES.media]: settings.ESCRIBA_SLOTS_MEDIA,
      [TASK_QUEUES.speech]: settings.ESCRIBA_SLOTS_SPEECH,
      [TASK_QUEUES.speechShort]: settings.ESCRIBA_SLOTS_SPEECH_SHORT,
      [TASK_QUEUES.language]: settings.ESCRIBA_SLOTS_LANGUAGE,
    },
    language: {
      upstreams: settings.ESCRIBA_UPSTREAMS,
      model: settings.ESCRIBA_UNDERSTANDING_MODEL,
      patience: settings.ESCRIBA_UNDERSTANDING_PATIENCE,
      rolesCalibration: settings.ESCRIBA_ROLES_CALIBRATION,
    },
    audioUrlNetworks: readNetworks(settings, "ESCRIBA_AUDIO_URL_NETWORKS"),
    extraCaFile: settings.ESCRIBA_EXTRA_CA_FILE || null,
    webhooks: queues.includes(TASK_QUEUES.webhooks) ? readWebhooks(settings) : null,
    threadPool: settings.UV_THREADPOOL_SIZE,
    graceMs: settings.ESCRIBA_GRACE_SECONDS * 1000,
    metrics: { host: settings.ESCRIBA_METRICS_HOST, port: settings.ESCRIBA_METRICS_PORT },
    drainToken: settings.ESCRIBA_DRAIN_TOKEN || null,
    tracing: settings,
    workflowBundle: settings.ESCRIBA_WORKFLOW_BUNDLE || null,
  });
}

function readQueues(text: string): readonly WorkerQueue[] {
  if (text === "all") return WORKER_QUEUES;
  const names = list(text);
  const unknown = names.filter((name) => !WORKER_QUEUES.includes(name as WorkerQueue));
  if (names.length === 0 || unknown.length > 0) {
    throw new SettingsError(
      `settings are not usable:\n  ESCRIBA_QUEUES: ${unknown.join(", ") || "nothing"} is no task queue; ` +
        `known are ${WORKER_QUEUES.join(", ")}, and all`,
    );
  }
  return [...new Set(names as WorkerQueue[])];
}

function readWebhooks(settings: z.output<typeof schema>): WorkerConfig["webhooks"] {
  const keys = settings.ESCRIBA_SECRETS_KEY;
  if (!keys) throw new SettingsError("settings are not usable:\n  ESCRIBA_SECRETS_KEY: the webhooks queue needs it");
  return {
    keys,
    networks: readNetworks(settings, "ESCRIBA_WEBHOOK_NETWORKS"),
    mail: {
      smtpUrl: settings.ESCRIBA_SMTP_URL || null,
      directory: settings.ESCRIBA_MAIL_DIR || null,
      from: settings.ESCRIBA_MAIL_FROM,
    },
  };
}

function readNetworks<Name extends "ESCRIBA_AUDIO_URL_NETWORKS" | "ESCRIBA_WEBHOOK_NETWORKS">(
  settings: Record<Name, string>,
  name: Name,
): Networks {
  try {
    return parseNetworks(list(settings[name]));
  } catch (error) {
    throw new SettingsError(`settings are not usable:\n  ${name}: ${(error as Error).message}`);
  }
}

function list(text: string): string[] {
  return text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}
