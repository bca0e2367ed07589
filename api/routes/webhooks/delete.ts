import { deleteEndpoint } from "../../../webhooks/endpoints.ts";
import { ApiError } from "../../errors/api-error.ts";
import { presentDeleted } from "../../presenters/deleted.ts";
import { route } from "../../route.ts";
import { deleted } from "../../schemas/text.ts";
import { webhookPath } from "./id.ts";

export const deleteWebhook = route({
  operation: "deleteWebhook",
  method: "DELETE",
  path: "/v1/webhooks/{id}",
  summary: "Removes an endpoint and its secret. What was pending for it ends as failed.",
  access: "transcripts:write",
  request: { path: webhookPath },
  success: { status: 200, description: "Deleted", body: deleted("webhook") },
  errors: ["resource_not_found"],
  async handle({ key, path }, { database }) {
    const removed = await deleteEndpoint(database, key.organizationId, path.id);
    if (!removed) throw new ApiError("resource_not_found");
    return { status: 200, body: presentDeleted("webhook", path.id) };
  },
});
