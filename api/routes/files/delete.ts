import { deleteFile as removeFile } from "../../../storage/files.ts";
import { ApiError } from "../../errors/api-error.ts";
import { presentDeleted } from "../../presenters/deleted.ts";
import { route } from "../../route.ts";
import { deleted } from "../../schemas/text.ts";
import { filePath } from "./id.ts";

export const deleteFile = route({
  operation: "deleteFile",
  method: "DELETE",
  path: "/v1/files/{id}",
  summary: "Removes a file and its audio. Finished transcripts of it stay as they are.",
  access: "files:write",
  request: { path: filePath },
  success: { status: 200, description: "Deleted", body: deleted("file") },
  errors: ["resource_not_found", "resource_in_use"],
  async handle({ key, path, log }, { database, objects }) {
    const removed = await removeFile(database, key.organizationId, path.id);
    if (removed.outcome === "not_found") throw new ApiError("resource_not_found");
    if (removed.outcome === "in_use") throw new ApiError("resource_in_use");
    try {
      await objects.delete(removed.objectKey);
    } catch (err) {
      // The file is gone for everyone; the relay removes the bytes when the store is back (outbox row `file.delete`).
      log.error({ err, object_key: removed.objectKey }, "object of a deleted file was not removed");
    }
    return { status: 200, body: presentDeleted("file", path.id) };
  },
});
