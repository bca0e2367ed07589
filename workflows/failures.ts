/**
 * Every way a step can fail, in one place. Only the code travels through Temporal (as the failure's type); `message`
 * is what the client reads on a failed transcript, so it is Spanish and plain, like the API's errors. `final` means
 * that no repeat of the step can help. This file is part of the workflow bundle: no imports.
 */
export interface Failure {
  final: boolean;
  message: string;
}

const RETRY = "Se ha producido un error interno y la transcripción no ha podido completarse. No se ha facturado.";

export const FAILURES = {
  // The recording.
  audio_unreachable: {
    final: true,
    message: "No se ha podido descargar el audio desde la URL indicada.",
  },
  file_too_large: { final: true, message: "El audio supera el tamaño máximo de 2 GB." },
  unsupported_audio_format: { final: true, message: "El formato del audio no está admitido." },
  audio_corrupt: {
    final: true,
    message: "No se ha podido leer el audio: el archivo está vacío, incompleto o dañado.",
  },
  audio_duration_exceeded: { final: true, message: "El audio dura más de 10 horas." },
  source_missing: { final: true, message: "El archivo de audio ya no está disponible." },
  insufficient_credit: { final: true, message: "El saldo no cubre la duración real del audio." },
  // The work.
  recognition_crashed: {
    final: true,
    message: "No se ha podido transcribir un fragmento del audio tras varios intentos. No se ha facturado.",
  },
  deadline_exceeded: {
    final: true,
    message: "La transcripción no ha terminado en el plazo de 48 horas. No se ha facturado.",
  },
  cancelled: { final: true, message: "La transcripción se ha cancelado. No se ha facturado." },
  not_started: { final: true, message: RETRY },
  // What a repeat may cure. When the attempts are used up, the client reads the message.
  download_interrupted: { final: false, message: "No se ha podido descargar el audio desde la URL indicada." },
  child_crashed: { final: false, message: RETRY },
  store_failed: { final: false, message: RETRY },
  database_failed: { final: false, message: RETRY },
  internal_error: { final: false, message: RETRY },
  // Of deliveries and mail, which no client reads.
  secret_unreadable: { final: false, message: RETRY },
  mail_failed: { final: false, message: RETRY },
  mail_refused: { final: true, message: RETRY },
} as const satisfies Record<string, Failure>;

export type FailureCode = keyof typeof FAILURES;

export function isFailureCode(code: unknown): code is FailureCode {
  return typeof code === "string" && Object.hasOwn(FAILURES, code);
}

/** Codes that end a step at once, whatever its number of attempts. */
export const FINAL_CODES = (Object.keys(FAILURES) as FailureCode[]).filter((code) => FAILURES[code].final);

/** Thrown by a step; becomes an ApplicationFailure whose type is the code. The cause is logged, never sent. */
export class StepFailed extends Error {
  override name = "StepFailed";
  readonly code: FailureCode;
  constructor(code: FailureCode, cause?: unknown) {
    super(code, { cause });
    this.code = code;
  }
}
