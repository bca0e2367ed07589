import * as z from "zod";

/** Anything of another form is a transcript that does not exist. */
export const transcriptPath = z.strictObject({
  id: z
    .string()
    .regex(/^tr_[0-9A-Za-z]{1,64}$/)
    .meta({ example: "tr_8fKq2LmZx0PvW4dTnYcB" }),
});
