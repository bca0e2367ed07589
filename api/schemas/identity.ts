import * as z from "zod";
import { RETENTIONS } from "../../storage/organizations.ts";

/** Section 2.1. */
export const identity = z
  .strictObject({
    organization: z.strictObject({ id: z.uuid(), slug: z.string() }),
    key: z.strictObject({ id: z.uuid(), environment: z.literal("live"), scopes: z.array(z.string()) }),
    default_retention: z.enum(RETENTIONS),
  })
  .meta({ id: "Identity" });

/** Section 2.2. */
export const balance = z
  .strictObject({
    balance_eur: z.number(),
    currency: z.literal("EUR"),
    spend_cap_eur: z.number().nullable(),
    environment: z.literal("live"),
  })
  .meta({ id: "Balance" });
