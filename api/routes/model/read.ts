import * as z from "zod";
import { ApiError } from "../../errors/api-error.ts";
import { presentModel } from "../../presenters/model.ts";
import { route } from "../../route.ts";
import { model } from "../../schemas/model.ts";
import { MODELS } from "./catalogue.ts";

export const readModel = route({
  operation: "readModel",
  method: "GET",
  path: "/v1/models/{id}",
  summary: "One model.",
  access: "any key",
  request: { path: z.strictObject({ id: z.string().meta({ example: "service-llm-1-small" }) }) },
  success: { status: 200, description: "The model", body: model },
  errors: ["resource_not_found"],
  async handle({ path }) {
    const found = MODELS.find(({ id }) => id === path.id);
    if (!found) throw new ApiError("resource_not_found");
    return { status: 200, body: presentModel(found) };
  },
});
