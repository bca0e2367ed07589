import { deleteTranscript as removeTranscript } from "../../../billing/delete-transcript.ts";
import { ApiError } from "../../errors/api-error.ts";
import { presentDeleted } from "../../presenters/deleted.ts";
import { route } from "../../route.ts";
import { deleted } from "../../schemas/text.ts";
import { transcriptPath } from "./id.ts";

export const deleteTranscript = route({
  operation: "deleteTranscript",
  method: "DELETE",
  path: "/v1/transcripts/{id}",
  summary: "Removes the record, its text and its audio, irreversibly. One that is not final is stopped and not billed.",
  access: "transcripts:write",
  request: { path: transcriptPath },
  success: { status: 200, description: "Deleted", body: deleted("transcript") },
  errors: ["resource_not_found"],
  async handle({ key, path }, { database }) {
    // Workflow and objects follow by the outbox: whoever claims `transcript.delete` stops and removes them.
    const removed = await removeTranscript(database, key.organizationId, path.id);
    if (removed.outcome === "not_found") throw new ApiError("resource_not_found");
    return { status: 200, body: presentDeleted("transcript", path.id) };
  },
});
