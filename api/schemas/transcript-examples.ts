/** Whole answers, for the reference. A test holds each to its schema. */

export const CREATED = {
  id: "tr_8fKq2LmZx0PvW4dTnYcB",
  object: "transcript",
  status: "queued",
  estimated_cost: { eur: 0.013, assumed_seconds: 61 },
  estimated_completion: "2026-11-21T11:04:31.123Z",
};

export const PENDING = {
  id: CREATED.id,
  object: "transcript",
  status: "processing",
  created_at: "2026-11-21T10:58:31.123Z",
  completed_at: null,
  metadata: { call: 4711 },
  error: null,
};

export const COMPLETED = {
  ...PENDING,
  status: "completed",
  completed_at: "2026-11-21T10:58:44.870Z",
  language: "es",
  language_confidence: 0.98,
  audio_duration: 61,
  billed_duration: 120,
  speech_duration: 48.2,
  text: "Buenos días, le atiende Laura. Quería saber por qué ha subido mi factura.",
  words: [{ text: "Buenos", start: 0.42, end: 0.71, method: "approx" }],
  utterances: [
    { speaker: "0", speakerRole: "agent", text: "Buenos días, le atiende Laura.", start: 0.42, end: 2.1 },
    {
      speaker: "1",
      speakerRole: "customer",
      text: "Quería saber por qué ha subido mi factura.",
      start: 2.6,
      end: 5.3,
    },
  ],
  speaker_role_confidence: 0.92,
  understanding: {
    topic_detection: {
      topics: [{ label: "billing_invoice_query", relevance: 0.94 }],
      taxonomy: "contact_center",
      taxonomy_version: 1,
    },
    sentiment_analysis: { overall: "neutral", by_utterance: [{ index: 1, sentiment: "neutral" }] },
  },
  pii: {
    text_redacted: "Buenos días, le atiende [PERSON]. Quería saber por qué ha subido mi factura.",
    utterances_redacted: [
      { speaker: "0", speakerRole: "agent", text: "Buenos días, le atiende [PERSON].", start: 0.42, end: 2.1 },
      {
        speaker: "1",
        speakerRole: "customer",
        text: "Quería saber por qué ha subido mi factura.",
        start: 2.6,
        end: 5.3,
      },
    ],
    entities: [{ type: "PERSON", utterance: 0, start: 24, end: 29 }],
    policy: "entity_name",
  },
  metrics: {
    queue_seconds: 0.2,
    processing_seconds: 13.5,
    real_time_factor: 0.2213,
    chunks: 1,
    retried_windows: 0,
    model: "service-scribe-1",
    asr_seconds: 4.1,
    understanding_seconds: 7.9,
    prompt_version: "2026-11-01",
  },
  warnings: ["stereo_source_available"],
  usage: { total_eur: 0.019667 },
};
