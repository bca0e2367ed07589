import { createEndpoint, MAX_ENDPOINTS } from "../../../webhooks/endpoints.ts";
import { ApiError } from "../../errors/api-error.ts";
import { presentWebhook } from "../../presenters/webhook.ts";
import { route } from "../../route.ts";
import { createdWebhook, createWebhookRequest } from "../../schemas/webhook.ts";

export const createWebhook = route({
  operation: "createWebhook",
  method: "POST",
  path: "/v1/webhooks",
  summary: "Registers an endpoint for events; its signing secret is in this answer only.",
  access: "transcripts:write",
  request: { json: createWebhookRequest },
  success: { status: 201, description: "The endpoint and its secret", body: createdWebhook },
  errors: ["missing_parameter", "invalid_webhook_url"],
  async handle({ key, body }, { database, secrets }) {
    const created = await createEndpoint(database, secrets, { organizationId: key.organizationId, ...body });
    if (created.outcome === "limit") {
      const message = `La organización ya tiene ${MAX_ENDPOINTS} webhooks, que es el máximo.`;
      throw new ApiError("invalid_parameter", { message });
    }
    return { status: 201, body: { ...presentWebhook(created.endpoint), secret: created.secret } };
  },
});
