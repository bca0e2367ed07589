import { listEndpoints } from "../../../webhooks/endpoints.ts";
import { presentWebhook } from "../../presenters/webhook.ts";
import { route } from "../../route.ts";
import { webhookList } from "../../schemas/webhook.ts";

export const listWebhooks = route({
  operation: "listWebhooks",
  method: "GET",
  path: "/v1/webhooks",
  summary: "All endpoints, newest first.",
  access: "transcripts:write",
  request: {},
  success: { status: 200, description: "The endpoints", body: webhookList },
  errors: [],
  async handle({ key }, { database }) {
    const endpoints = await listEndpoints(database, key.organizationId);
    return { status: 200, body: { object: "list", data: endpoints.map(presentWebhook) } };
  },
});
