import * as z from "zod";

/** Seconds within the recording. */
export const seconds = z.number().min(0);

/** `speakerRole` is the one name in camel case (section 2.6). */
export const utterance = z
  .strictObject({
    speaker: z.string().nullable().meta({ description: "`0`, `1`, …: stable within one call only." }),
    speakerRole: z.enum(["agent", "customer"]).nullable().meta({ description: "Attributed or null, never guessed." }),
    text: z.string(),
    start: seconds,
    end: seconds,
  })
  .meta({ id: "Utterance" });
