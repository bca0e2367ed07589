import { enableEndpoint } from "../../../webhooks/endpoints.ts";
import { ApiError } from "../../errors/api-error.ts";
import { presentWebhook } from "../../presenters/webhook.ts";
import { route } from "../../route.ts";
import { webhook } from "../../schemas/webhook.ts";
import { webhookPath } from "./id.ts";

export const enableWebhook = route({
  operation: "enableWebhook",
  method: "POST",
  path: "/v1/webhooks/{id}/enable",
  summary: "Enables an endpoint again, its failures forgotten. Events of the time when it was disabled do not follow.",
  access: "transcripts:write",
  request: { path: webhookPath },
  success: { status: 200, description: "The endpoint", body: webhook },
  errors: ["resource_not_found"],
  async handle({ key, path }, { database }) {
    const endpoint = await enableEndpoint(database, key.organizationId, path.id);
    if (!endpoint) throw new ApiError("resource_not_found");
    return { status: 200, body: presentWebhook(endpoint) };
  },
});
