/** Names and types the API, the relay and the workers agree on. No code, so that api/ may import it. */

export const TASK_QUEUES = {
  transcripts: "transcripts",
  webhooks: "webhooks",
  fetch: "fetch",
  media: "media",
  speech: "speech",
  speechShort: "speech-short",
  language: "language",
} as const;

export type TaskQueue = (typeof TASK_QUEUES)[keyof typeof TASK_QUEUES];

/** Recordings up to this length go to `speech-short` (design.md, "Task queues"). */
export const SHORT_RECORDING_MS = 5 * 60_000;

/** Type name of the workflow; its id is the transcript's id. */
export const TRANSCRIBE = "transcribe";

/** References only: never audio, text or URLs travel through Temporal. New fields are optional: inputs only grow. */
export interface TranscribeInput {
  transcriptId: string;
  organizationId: string;
  /** Fairness key: the organization, or `<organization>/economy`. */
  fairnessKey: string;
  fairnessWeight: number;
  /** Epoch milliseconds after which the transcript fails (48 h after POST). */
  deadlineAt: number;
}

/** Type name of the workflow of one event and endpoint. */
export const DELIVER = "deliver";
/** Signal: what is pending may be due sooner than it was. */
export const LOOK = "look";

export interface DeliverInput {
  webhookId: string;
  eventId: string;
  /** Fairness key. */
  organizationId: string;
}

/** Type name of the workflow of one event and member. */
export const MAIL = "mail";

export interface MailInput {
  eventId: string;
  memberId: string;
  /** Fairness key. */
  organizationId: string;
}

/**
 * Kinds of outbox rows that the relay serves besides the names of events; all are written by the SQL functions of
 * prisma/migrations. Payloads are TranscribeInput, DeletePayload, DeletedFilePayload, DeliverInput and MailInput.
 */
export const OUTBOX = {
  start: "transcript.start",
  delete: "transcript.delete",
  deleteFile: "file.delete",
  deliver: "webhook.deliver",
  mail: "mail.send",
} as const;

/** Payload of a `transcript.delete` row. */
export interface DeletePayload {
  transcriptId: string;
  organizationId: string;
  wasInFlight: boolean;
  /** Key of the upload to remove with it; null when another transcript still uses it. */
  uploadKey: string | null;
}
