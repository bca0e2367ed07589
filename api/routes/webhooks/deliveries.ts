import { readEndpoint } from "../../../webhooks/endpoints.ts";
import { listAttempts } from "../../../webhooks/history.ts";
import { ApiError } from "../../errors/api-error.ts";
import { presentDeliveryPage } from "../../presenters/webhook.ts";
import { route } from "../../route.ts";
import { deliveryList, listDeliveriesQuery } from "../../schemas/webhook.ts";
import { webhookPath } from "./id.ts";

export const listDeliveries = route({
  operation: "listWebhookDeliveries",
  method: "GET",
  path: "/v1/webhooks/{id}/deliveries",
  summary: "Attempts to deliver to an endpoint, newest first.",
  description: "While `has_more`, repeat with `before` set to `next_before`, exactly as received.",
  access: "transcripts:write",
  request: { path: webhookPath, query: listDeliveriesQuery },
  success: { status: 200, description: "A page", body: deliveryList },
  errors: ["resource_not_found", "invalid_parameter"],
  async handle({ key, path, query }, { database }) {
    const endpoint = await readEndpoint(database, key.organizationId, path.id);
    if (!endpoint) throw new ApiError("resource_not_found");
    const page = await listAttempts(database, { webhookId: endpoint.id, ...query });
    return { status: 200, body: presentDeliveryPage(page) };
  },
});
