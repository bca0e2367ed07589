import * as z from "zod";

/** Anything of another form is a webhook that does not exist. */
export const webhookPath = z.strictObject({
  id: z
    .string()
    .regex(/^wh_[0-9A-Za-z]{1,64}$/)
    .meta({ example: "wh_2kWn9sYdL4f0Zq8cVb1xR7mT" }),
});
