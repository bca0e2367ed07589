import { MODELS_CREATED, type Model } from "../routes/model/catalogue.ts";

export function presentModel(model: Model) {
  return {
    id: model.id,
    object: "model",
    type: model.type,
    context_window: model.contextWindow,
    owned_by: "escriba",
    created: MODELS_CREATED,
  };
}
