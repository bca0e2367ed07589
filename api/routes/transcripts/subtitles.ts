import { readSubtitles } from "../../../storage/results.ts";
import { readTranscript } from "../../../storage/transcripts.ts";
import { ApiError } from "../../errors/api-error.ts";
import { route } from "../../route.ts";
import { transcriptPath } from "./id.ts";

/** The texts were made when the transcript was settled; here they are only sent. */
function subtitles(format: "srt" | "vtt" | "txt", operation: string, summary: string, contentType: string) {
  return route({
    operation,
    method: "GET",
    path: `/v1/transcripts/{id}.${format}`,
    summary,
    access: "transcripts:read",
    request: { path: transcriptPath },
    success: { status: 200, description: summary, body: { contentType } },
    errors: ["resource_not_found", "transcript_not_completed"],
    async handle({ key, path }, { database }) {
      const row = await readTranscript(database, key.organizationId, path.id);
      if (!row) throw new ApiError("resource_not_found");
      if (row.status !== "completed") throw new ApiError("transcript_not_completed");
      const body = await readSubtitles(database, row.id, format);
      // Deleted between the two reads.
      if (body === null) throw new ApiError("resource_not_found");
      return { status: 200, body, contentType };
    },
  });
}

export const readSubRip = subtitles("srt", "readSubRip", "Subtitles as SubRip.", "application/x-subrip; charset=utf-8");
export const readWebVtt = subtitles("vtt", "readWebVtt", "Subtitles as WebVTT.", "text/vtt; charset=utf-8");
export const readText = subtitles("txt", "readText", "Plain text, a line an utterance.", "text/plain; charset=utf-8");
