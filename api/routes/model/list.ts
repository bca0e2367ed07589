import { presentModel } from "../../presenters/model.ts";
import { route } from "../../route.ts";
import { modelList } from "../../schemas/model.ts";
import { MODELS } from "./catalogue.ts";

export const listModels = route({
  operation: "listModels",
  method: "GET",
  path: "/v1/models",
  summary: "The models of the service. Needs no key.",
  access: "public",
  request: {},
  success: { status: 200, description: "Every model", body: modelList },
  errors: [],
  async handle() {
    return { status: 200, body: { object: "list", data: MODELS.map(presentModel) } };
  },
});
