/**
 * The one table of error codes: section 7 of the specification, then the two of docs/decisions. Codes are stable for
 * ever; messages are for people, in Spanish, and may change. `internal` is what an operator reads in the log.
 */
export const ERRORS = {
  invalid_parameter: {
    status: 400,
    type: "invalid_request_error",
    message: "Un parámetro tiene un valor no admitido.",
    internal: "a field has an unsupported value",
  },
  missing_parameter: {
    status: 400,
    type: "invalid_request_error",
    message: "Falta un parámetro obligatorio.",
    internal: "a required field is absent",
  },
  invalid_audio_source: {
    status: 400,
    type: "invalid_request_error",
    message: "Indique exactamente uno de «audio_url» y «file_id».",
    internal: "both or neither of audio_url and file_id",
  },
  audio_duration_exceeded: {
    status: 400,
    type: "invalid_request_error",
    message: "El audio supera la duración máxima de 10 horas.",
    internal: "audio over 10 hours",
  },
  unsupported_language: {
    status: 400,
    type: "invalid_request_error",
    message: "El idioma no está en el catálogo.",
    internal: "language code not in the catalogue",
  },
  sentiment_scope_not_permitted: {
    status: 400,
    type: "invalid_request_error",
    message: "El análisis de sentimiento solo admite el ámbito «customer».",
    internal: "sentiment scope other than customer",
  },
  invalid_model: {
    status: 400,
    type: "invalid_request_error",
    message: "El modelo no existe.",
    internal: "unknown model id",
  },
  invalid_webhook_url: {
    status: 400,
    type: "invalid_request_error",
    message: "La dirección del webhook no se admite. Los webhooks se registran en «/v1/webhooks» con una URL https.",
    internal: "webhook url is not https, or webhook fields on a transcript request",
  },
  missing_api_key: {
    status: 401,
    type: "authentication_error",
    message: "Falta la clave de API. Envíela en la cabecera «Authorization: Bearer <clave>».",
    internal: "no Authorization header",
  },
  invalid_api_key: {
    status: 401,
    type: "authentication_error",
    message: "La clave de API no es válida.",
    internal: "key of the wrong form, or unknown",
  },
  revoked_api_key: {
    status: 401,
    type: "authentication_error",
    message: "La clave de API está revocada.",
    internal: "key revoked",
  },
  expired_api_key: {
    status: 401,
    type: "authentication_error",
    message: "La clave de API ha caducado.",
    internal: "key expired (declared, not emitted: keys do not expire)",
  },
  insufficient_credit: {
    status: 402,
    type: "insufficient_credit",
    message: "El saldo no cubre el coste estimado. No se ha procesado ni cobrado nada.",
    internal: "balance insufficient for the estimate",
  },
  spend_cap_reached: {
    status: 402,
    type: "insufficient_credit",
    message: "Se ha alcanzado el límite de gasto.",
    internal: "spend cap reached (declared, not emitted)",
  },
  missing_scope: {
    status: 403,
    type: "permission_error",
    message: "La clave no tiene el permiso necesario.",
    internal: "scope missing, or address outside the key's allow-list",
  },
  ip_not_allowed: {
    status: 403,
    type: "permission_error",
    message: "La dirección IP no está autorizada.",
    internal: "address not allowed (declared, never emitted: missing_scope says it)",
  },
  resource_not_found: {
    status: 404,
    type: "not_found_error",
    message: "El recurso no existe.",
    internal: "resource, model or route absent, or of another organization",
  },
  idempotency_key_reused: {
    status: 409,
    type: "conflict_error",
    message: "La clave de idempotencia ya se usó con otro cuerpo en las últimas 24 horas.",
    internal: "same Idempotency-Key, different body",
  },
  transcript_not_completed: {
    status: 409,
    type: "conflict_error",
    message: "La transcripción no está completada.",
    internal: "subtitles or text of a transcript that is not completed",
  },
  resource_in_use: {
    status: 409,
    type: "conflict_error",
    message: "El recurso está en uso por una transcripción en curso.",
    internal: "file used by a queued or processing transcript",
  },
  file_too_large: {
    status: 413,
    type: "payload_too_large",
    message: "El fichero supera el máximo de 2 GB.",
    internal: "body over the limit",
  },
  unsupported_audio_format: {
    status: 415,
    type: "unsupported_media_type",
    message: "El formato no se admite. Formatos admitidos: wav, mp3, flac, mpga, oga, ogg, m4a, mp4.",
    internal: "content is none of the accepted audio formats",
  },
  audio_corrupt: {
    status: 422,
    type: "unprocessable_audio",
    message: "El audio está dañado.",
    internal: "audio corrupt (declared, not emitted: the transcript fails)",
  },
  audio_silent: {
    status: 422,
    type: "unprocessable_audio",
    message: "El audio no contiene voz.",
    internal: "audio silent (declared, not emitted: asr_no_segments)",
  },
  audio_too_short: {
    status: 422,
    type: "unprocessable_audio",
    message: "El audio es demasiado corto.",
    internal: "audio too short (declared, not emitted)",
  },
  rate_limit_exceeded: {
    status: 429,
    type: "rate_limit_error",
    message: "Se ha superado el límite de 300 peticiones por minuto de esta clave.",
    internal: "over the requests per minute of the key",
  },
  concurrency_limit_exceeded: {
    status: 429,
    type: "rate_limit_error",
    message: "La organización ya tiene 32 transcripciones en curso.",
    internal: "over the transcripts in flight of the organization",
  },
  internal_error: {
    status: 500,
    type: "api_error",
    message: "Se ha producido un error interno. La petición no se cobra.",
    internal: "fault of the service",
  },
  upstream_unavailable: {
    status: 503,
    type: "service_unavailable",
    message: "Un servicio del que dependemos no responde. La petición no se cobra.",
    internal: "a dependency does not answer",
  },
  queue_saturated: {
    status: 503,
    type: "service_unavailable",
    message: "La cola está saturada.",
    internal: "queue saturated (declared, not emitted)",
  },
} as const;

export type ErrorCode = keyof typeof ERRORS;
