/** Every object key of the system, in one place, so that a prefix delete is known to remove everything. */
export const keys = {
  upload: (organizationId: string, fileId: string) => `files/${organizationId}/${fileId}`,
  transcript: (transcriptId: string) => `transcripts/${transcriptId}/`,
  /** What `audio_url` was fetched to. */
  source: (transcriptId: string) => `transcripts/${transcriptId}/source`,
  /** `audio_url` for the worker that fetches it: URLs travel neither through Temporal nor to a database connection. */
  sourceUrl: (transcriptId: string) => `transcripts/${transcriptId}/source-url.json`,
  /** The terms of `custom_vocabulary`, for the workers that recognise. */
  vocabulary: (transcriptId: string) => `transcripts/${transcriptId}/vocabulary.json`,
  /** Decoded audio: s16le mono 16 kHz without a header. */
  pcm: (transcriptId: string) => `transcripts/${transcriptId}/audio.s16`,
  plan: (transcriptId: string) => `transcripts/${transcriptId}/plan.json`,
  language: (transcriptId: string) => `transcripts/${transcriptId}/language.json`,
  windows: (transcriptId: string) => `transcripts/${transcriptId}/windows/`,
  window: (transcriptId: string, index: number) =>
    `transcripts/${transcriptId}/windows/${String(index).padStart(5, "0")}.json`,
  /** Voiceprints of a window (speech/diarization/voiceprints.ts). */
  voices: (transcriptId: string, index: number) =>
    `transcripts/${transcriptId}/voices/${String(index).padStart(5, "0")}.f16`,
  speakers: (transcriptId: string) => `transcripts/${transcriptId}/speakers.json`,
  result: (transcriptId: string) => `transcripts/${transcriptId}/result.json`,
  /** Who of the speakers is the agent. */
  roles: (transcriptId: string) => `transcripts/${transcriptId}/roles.json`,
  /** The options of the requested modules. */
  understandingRequest: (transcriptId: string) => `transcripts/${transcriptId}/understanding/request.json`,
  /** What `escriba doctor` writes, reads and removes. */
  probe: (id: string) => `doctor/${id}/`,
  /** What the model calls of one group gave. */
  understanding: (transcriptId: string, group: string) => `transcripts/${transcriptId}/understanding/${group}.json`,
};
