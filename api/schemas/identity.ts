import * as z from "zod";
import { SCOPES } from "../../storage/api-keys.ts";
import { RETENTIONS } from "../../storage/organizations.ts";
import { euros } from "./text.ts";

/** Section 2.1. */
export const identity = z
  .strictObject({
    organization: z.strictObject({ id: z.uuid(), slug: z.string() }),
    key: z.strictObject({ id: z.uuid(), environment: z.literal("live"), scopes: z.array(z.enum(SCOPES)) }),
    default_retention: z.enum(RETENTIONS).meta({ description: "Of transcripts that do not say their own." }),
  })
  .meta({
    id: "Identity",
    examples: [
      {
        organization: { id: "0192f3a4-5b6c-7d8e-9f0a-1b2c3d4e5f60", slug: "acme" },
        key: {
          id: "0192f3a4-5b6c-7d8e-9f0a-1b2c3d4e5f61",
          environment: "live",
          scopes: ["transcripts:write", "transcripts:read", "files:write"],
        },
        default_retention: "30d",
      },
    ],
  });

/** Section 2.2. */
export const balance = z
  .strictObject({
    balance_eur: euros.meta({ description: "Prepaid, what is held for running work included." }),
    currency: z.literal("EUR"),
    spend_cap_eur: euros.nullable().meta({ description: "Null when there is none. Shown, not enforced." }),
    environment: z.literal("live"),
  })
  .meta({
    id: "Balance",
    examples: [{ balance_eur: 87.4312, currency: "EUR", spend_cap_eur: null, environment: "live" }],
  });
