import * as z from "zod";
import { EMBEDDING_DIMENSIONS, isModel, modelIds } from "../routes/model/catalogue.ts";
import { optional } from "./text.ts";

/** "Body 16 MB" of docs/decisions. */
export const MAX_EMBEDDINGS_BYTES = 16 * 1024 * 1024;
export const MAX_INPUTS = 256;
export const DEFAULT_DIMENSIONS = 768;

/** Any characters, NUL too: it is neither stored nor searched. Half of a surrogate pair is no character. */
const textToEmbed = z
  .string()
  .min(1, { error: "no puede estar vacío" })
  .refine((value) => value.isWellFormed(), { error: "contiene caracteres no admitidos" });

/** Section 2.10. Any other field is discarded (docs/decisions). */
export const embeddingsRequest = z
  .object({
    model: z
      .string()
      .refine((id) => isModel(id, "embedding"), { error: "invalid_model" })
      .meta({ description: "An embedding model of `GET /v1/models`.", override: { enum: modelIds("embedding") } }),
    input: z.union([textToEmbed, z.array(textToEmbed).min(1).max(MAX_INPUTS)]).meta({
      description:
        "One text or up to 256, none empty, each of at most 32 000 tokens. A longer one is refused, never cut. Arrays of token ids are refused.",
    }),
    dimensions: optional(z.int().min(1)).meta({
      description: "Numbers in each vector, at most what the model has: 1,024 unless the server was given another one.",
      override: { default: DEFAULT_DIMENSIONS, maximum: EMBEDDING_DIMENSIONS },
    }),
    encoding_format: optional(z.enum(["float", "base64"])).meta({
      description:
        "`float`: an array of numbers. `base64`: 32-bit floats, little-endian, which the official clients ask for unless told otherwise.",
      override: { default: "float" },
    }),
  })
  .meta({
    id: "EmbeddingsRequest",
    examples: [{ model: "service-embed-1", input: ["Quiero cancelar el contrato.", "No tengo línea desde ayer."] }],
  });

export type EmbeddingsRequest = z.output<typeof embeddingsRequest>;

const embedding = z
  .strictObject({
    object: z.literal("embedding"),
    index: z.int().min(0).meta({ description: "Position in `input`; match by it, not by the position in `data`." }),
    embedding: z
      .union([z.array(z.number()), z.base64()])
      .meta({ description: "An array of numbers, or a string with `encoding_format` `base64`." }),
  })
  .meta({ id: "Embedding" });

export const embeddingsResponse = z
  .strictObject({
    object: z.literal("list"),
    model: z.string(),
    data: z.array(embedding),
    usage: z.strictObject({ prompt_tokens: z.int().min(0), total_tokens: z.int().min(0) }),
  })
  .meta({
    id: "Embeddings",
    examples: [
      {
        object: "list",
        model: "service-embed-1",
        data: [{ object: "embedding", index: 0, embedding: [0.0132, -0.0417, 0.0088] }],
        usage: { prompt_tokens: 7, total_tokens: 7 },
      },
    ],
  });
