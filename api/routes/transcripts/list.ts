import { listTranscripts as findTranscripts } from "../../../storage/transcript-list.ts";
import { presentTranscriptPage } from "../../presenters/transcript.ts";
import { route } from "../../route.ts";
import { transcriptList } from "../../schemas/transcript.ts";
import { listTranscriptsQuery } from "../../schemas/transcript-list.ts";

export const listTranscripts = route({
  operation: "listTranscripts",
  method: "GET",
  path: "/v1/transcripts",
  summary: "Transcripts, newest first.",
  description: "While `has_more`, repeat with `before` set to `next_before`, exactly as received.",
  access: "transcripts:read",
  request: { query: listTranscriptsQuery },
  success: { status: 200, description: "A page", body: transcriptList },
  errors: ["invalid_parameter"],
  async handle({ key, query }, { database }) {
    const page = await findTranscripts(database, { organizationId: key.organizationId, ...query });
    return { status: 200, body: presentTranscriptPage(page) };
  },
});
