import * as z from "zod";
import { parseBefore } from "../../storage/transcript-list.ts";
import { STATUSES } from "../../storage/transcripts.ts";

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

export const limit = z
  .string()
  .regex(/^\d{1,3}$/, { error: `debe ser un entero entre 1 y ${MAX_LIMIT}` })
  .transform(Number)
  .pipe(z.int().min(1).max(MAX_LIMIT))
  .default(DEFAULT_LIMIT)
  .meta({
    description: "Size of a page.",
    override: ({ jsonSchema }: { jsonSchema: Record<string, unknown> }) => {
      // Text on the way in, a number to whoever reads about it.
      delete jsonSchema.pattern;
      Object.assign(jsonSchema, { type: "integer", minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT });
    },
  });

/**
 * `next_before`, passed back exactly as it was given. It stays text from here to SQL, because a JavaScript date would
 * drop the microseconds and with them rows of the same millisecond.
 */
export const before = z
  .string()
  .transform((value, context) => {
    const moment = parseBefore(value);
    if (moment !== null) return moment;
    context.addIssue({
      code: "custom",
      input: value,
      message: "debe ser una fecha ISO 8601 con zona horaria, p. ej. 2026-11-21T10:58:31.123456Z",
    });
    return z.NEVER;
  })
  .optional()
  .meta({
    description: "Only transcripts created before this moment: the `next_before` of the page before, as received.",
    format: "date-time",
    example: "2026-11-21T10:58:31.123456Z",
  });

export const listTranscriptsQuery = z.strictObject({
  limit,
  status: z.enum(STATUSES).optional().meta({ description: "Only transcripts of this status." }),
  before,
});
