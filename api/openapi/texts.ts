/** What a reader learns before the first operation, in Markdown. */
export const INTRODUCTION = `Transcribes calls, answers as a language model, and makes embeddings.

**Keys.** Every call but \`GET /v1/models\` needs \`Authorization: Bearer sk_live_…\`. A key has scopes and may be bound to
addresses. A revoked key works for up to 30 seconds more.

**Transcription is asynchronous.** \`POST /v1/transcripts\` answers 202 with an id; read \`GET /v1/transcripts/{id}\` until
its status is \`completed\` or \`failed\`, or register a webhook.

**Null** in an optional field means that the field is absent.

**Errors** have one form. Programs go by \`code\`, which never changes; \`message\` is for people, in Spanish. Repeat 429,
500 and 503 with growing, jittered waits of at least \`Retry-After\`; 400, 401, 403, 404, 409, 413 and 415 give the same
answer again; 402 stops a batch. What is no HTTP request at all is answered with 400 \`invalid_parameter\`, a route that
does not exist with 404 \`resource_not_found\`, and a method that a route does not have with 405, \`Allow\` and
\`resource_not_found\`.

**Repeating safely.** With an \`Idempotency-Key\`, the same body within 24 hours gives the stored answer, marked
\`Idempotency-Replayed: true\`, and is not billed again; another body gives 409 \`idempotency_key_reused\`.

**Limits.** 300 requests in any 60 seconds and key, 32 transcripts in flight an organization, JSON bodies of 4 MB.`;

/** What each resource is; the name is what follows \`/v1/\`. */
export const TAGS: Record<string, string> = {
  me: "Who is asking.",
  balance: "The prepaid balance.",
  models: "What the service offers.",
  files: "Uploaded audio: wav, mp3, flac, mpga, oga, ogg, m4a or mp4, at most 2 GB and ten hours.",
  transcripts: "Transcriptions, from the order to the subtitles.",
  chat: "A language model, in the common chat-completion format.",
  embeddings: "Vectors of texts. They are not stored or searched here.",
  webhooks: "Where events are sent.",
};
