import { readResult } from "../../../storage/results.ts";
import { readTranscript as findTranscript } from "../../../storage/transcripts.ts";
import { ApiError } from "../../errors/api-error.ts";
import { presentCompletedTranscript, presentPendingTranscript } from "../../presenters/transcript.ts";
import { route } from "../../route.ts";
import { transcript } from "../../schemas/transcript.ts";
import { transcriptPath } from "./id.ts";

export const readTranscript = route({
  operation: "readTranscript",
  method: "GET",
  path: "/v1/transcripts/{id}",
  summary: "A transcript: its state, and everything once it is completed.",
  access: "transcripts:read",
  request: { path: transcriptPath },
  success: { status: 200, description: "The transcript", body: transcript },
  errors: ["resource_not_found"],
  async handle({ key, path }, { database }) {
    const row = await findTranscript(database, key.organizationId, path.id);
    if (!row) throw new ApiError("resource_not_found");
    if (row.status !== "completed") return { status: 200, body: presentPendingTranscript(row) };
    const result = await readResult(database, row.id);
    // Deleted between the two reads.
    if (!result) throw new ApiError("resource_not_found");
    return { status: 200, body: presentCompletedTranscript(row, result) };
  },
});
