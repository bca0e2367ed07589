import * as z from "zod";

/** In any optional field null means absent (docs/decisions). */
export function optional<T extends z.ZodType>(schema: T) {
  return schema.nullish().transform((value) => value ?? undefined);
}

/** Text PostgreSQL can keep: no NUL, no half of a surrogate pair. Length is counted in characters, not UTF-16 units. */
export function text(maxCharacters: number) {
  return z
    .string()
    .refine((value) => !value.includes("\0") && value.isWellFormed(), { error: "contiene caracteres no admitidos" })
    .refine((value) => value.length <= maxCharacters || [...value].length <= maxCharacters, {
      error: `como máximo ${maxCharacters} caracteres`,
    })
    .meta({ maxLength: maxCharacters, pattern: "^[^\\u0000]*$" });
}

/** ISO 8601 UTC with milliseconds, as every `created_at` on the wire. */
export const timestamp = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  .meta({ format: "date-time", example: "2026-11-21T10:58:31.123Z" });

/** Euros with at most six decimals. */
export const euros = z.number().meta({ example: 0.0065 });

const PREFIXES = { file: "file", transcript: "tr", webhook: "wh" };

/** What a `DELETE` answers. */
export function deleted(object: keyof typeof PREFIXES) {
  const example = { id: `${PREFIXES[object]}_8fKq2LmZx0PvW4dTnYcB`, object, deleted: true };
  return z
    .strictObject({ id: z.string(), object: z.literal(object), deleted: z.literal(true) })
    .meta({ examples: [example] });
}
