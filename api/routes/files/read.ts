import { readFile as findFile } from "../../../storage/files.ts";
import { ApiError } from "../../errors/api-error.ts";
import { presentStoredFile } from "../../presenters/file.ts";
import { route } from "../../route.ts";
import { storedFile } from "../../schemas/file.ts";
import { filePath } from "./id.ts";

export const readFile = route({
  operation: "readFile",
  method: "GET",
  path: "/v1/files/{id}",
  summary: "An uploaded file.",
  access: "files:write",
  request: { path: filePath },
  success: { status: 200, description: "The file", body: storedFile },
  errors: ["resource_not_found"],
  async handle({ key, path }, { database }) {
    const file = await findFile(database, key.organizationId, path.id);
    if (!file) throw new ApiError("resource_not_found");
    return { status: 200, body: presentStoredFile(file) };
  },
});
