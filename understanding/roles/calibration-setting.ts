import * as z from "zod";

/** What `escriba roles calibrate` found of one model. */
const calibration = z.strictObject({
  /** The server's own name for the model, as in ESCRIBA_UPSTREAMS. */
  model: z.string().min(1),
  /** Of the question that it was asked. */
  prompt: z.string().min(1),
  calls: z.number().int().min(0),
  answered: z.number().int().min(0),
  /** Of its answers, those that were right, weighted as real calls are mixed. */
  precision: z.number().min(0).max(1),
});

export type Calibration = z.output<typeof calibration>;

/** Field for a process's settings: the JSON text that `escriba roles calibrate` prints; "" for none. */
export const calibrationSetting = () =>
  z
    .string()
    .default("")
    .transform((text, context) => {
      if (text === "") return null;
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue({ code: "custom", message: "must be JSON" });
        return z.NEVER;
      }
    })
    .pipe(calibration.nullable())
    .describe(
      "Printed by `escriba roles calibrate` for the model that reads transcripts. With it the model has a vote on who is the agent and who the customer; without it, or with that of another model or version, only the heuristic has.",
    );
