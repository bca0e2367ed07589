import * as z from "zod";

/** Section 2.12, and docs/decisions for the fields it does not show. */
export const model = z
  .strictObject({
    id: z.string(),
    object: z.literal("model"),
    type: z.enum(["asr", "llm", "embedding"]),
    context_window: z.int().nullable(),
    owned_by: z.literal("escriba"),
    created: z.int(),
  })
  .meta({ id: "Model" });

export const modelList = z.strictObject({ object: z.literal("list"), data: z.array(model) }).meta({ id: "ModelList" });
