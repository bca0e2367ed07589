import * as z from "zod";
import { MODULES, type Module } from "../../billing/prices.ts";
import { optional, text } from "./text.ts";

/** An object with options, or just `true`; `false` and null mean not requested (docs/decisions). */
function requested<T extends z.ZodRawShape>(description: string, options: T) {
  return optional(z.union([z.boolean(), z.strictObject(options)])).meta({ description });
}

const policy = (description: string) =>
  optional(z.enum(["entity_name", "mask"])).meta({ description, override: { default: "entity_name" } });

/** Section 2.7. */
export const understandingRequest = z
  .strictObject({
    topic_detection: requested("What the call is about.", {
      taxonomy: optional(z.enum(["contact_center", "open", "iab"])).meta({
        description:
          "`contact_center` labels from a closed list of 40; `open` labels freely; `iab` is not implemented and gives " +
          "free labels with the warning `taxonomy_unavailable:iab`.",
        override: { default: "contact_center" },
      }),
    }),
    summarization: requested("A summary in the language of the call.", {
      format: optional(z.enum(["bullets", "paragraph", "headline"])).meta({ override: { default: "bullets" } }),
      context: optional(text(1_000)).meta({ description: "What the model should know, at most 1,000 characters." }),
    }),
    action_items: requested("What somebody promised to do.", {}),
    sentiment_analysis: requested("Of the customer only; inferring emotions of workers is prohibited.", {
      scope: optional(z.literal("customer", { error: "sentiment_scope_not_permitted" })).meta({
        override: { default: "customer" },
      }),
    }),
    content_moderation: requested("Violence, hate, self-harm, sexual content, drugs, weapons.", {}),
    profanity_filter: requested("Swear words that really occur.", {
      policy: policy("`entity_name` gives the term as spoken, `mask` keeps its first letter."),
    }),
    pii_redaction: requested("A copy without personal data, in `pii`; audio and `text` stay as they are.", {
      policy: policy("`entity_name` writes `[PERSON]`, `mask` one `*` a character."),
    }),
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
