import * as z from "zod";

const MODEL = {
  id: "service-llm-1-small",
  object: "model",
  type: "llm",
  context_window: 256_000,
  owned_by: "escriba",
  created: 1_767_225_600,
};

/** Section 2.12, and docs/decisions for the fields it does not show. */
export const model = z
  .strictObject({
    id: z.string(),
    object: z.literal("model"),
    type: z.enum(["asr", "llm", "embedding"]),
    context_window: z.int().nullable().meta({ description: "Tokens; null for transcription." }),
    owned_by: z.literal("escriba"),
    created: z.int().meta({ description: "Seconds since 1970." }),
  })
  .meta({
    id: "Model",
    examples: [MODEL],
  });

export const modelList = z
  .strictObject({ object: z.literal("list"), data: z.array(model) })
  .meta({ id: "ModelList", examples: [{ object: "list", data: [MODEL] }] });
