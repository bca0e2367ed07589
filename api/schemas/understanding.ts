import * as z from "zod";
import { MODULES, type Module } from "../../billing/prices.ts";
import { optional, text } from "./text.ts";

/** An object with options, or just `true`; `false` and null mean not requested (docs/decisions). */
function requested<T extends z.ZodRawShape>(options: T) {
  return optional(z.union([z.boolean(), z.strictObject(options)]));
}

const policy = optional(z.enum(["entity_name", "mask"]));

export const understandingRequest = z
  .strictObject({
    topic_detection: requested({ taxonomy: optional(z.enum(["contact_center", "open", "iab"])) }),
    summarization: requested({
      format: optional(z.enum(["bullets", "paragraph", "headline"])),
      context: optional(text(1_000)),
    }),
    action_items: requested({}),
    sentiment_analysis: requested({
      scope: optional(z.literal("customer", { error: "sentiment_scope_not_permitted" })),
    }),
    content_moderation: requested({}),
    profanity_filter: requested({ policy }),
    pii_redaction: requested({ policy }),
  })
  .meta({ id: "UnderstandingRequest" });

/** What is stored: the requested modules and their options, `true` and `{}` made one. */
export type Understanding = Partial<Record<Module, Record<string, string>>>;

export function normalizeUnderstanding(request: z.output<typeof understandingRequest> | undefined): Understanding {
  const modules: Understanding = {};
  for (const module of MODULES) {
    const asked = request?.[module];
    if (asked === undefined || asked === false) continue;
    const options = asked === true ? {} : asked;
    modules[module] = Object.fromEntries(
      Object.entries(options).flatMap(([name, value]) => (value ? [[name, value]] : [])),
    );
  }
  return modules;
}
