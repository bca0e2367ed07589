import * as z from "zod";
import { readSettings, shared } from "../../process/settings.ts";
import { schema as workerSchema } from "../../workflows/config.ts";
import { temporalFields } from "../../workflows/temporal-settings.ts";

const { ESCRIBA_MODELS_DIR, XDG_CACHE_HOME, ESCRIBA_SPEAKER_MODEL, ESCRIBA_SPEECH_FAST_MODEL, ESCRIBA_UPSTREAMS } =
  workerSchema.shape;

/** Settings of `escriba doctor`: those of the processes whose surroundings it looks at, and a few of its own. */
export const schema = z.object({
  ...temporalFields,
  ESCRIBA_DATABASE_URL: shared.ESCRIBA_DATABASE_URL.or(z.literal(""))
    .default("")
    .describe("PostgreSQL connection string."),
  ESCRIBA_OBJECT_STORE: shared.ESCRIBA_OBJECT_STORE.or(z.literal(""))
    .default("")
    .describe("Where audio and results live, as the processes have it."),
  ESCRIBA_MODELS_DIR,
  XDG_CACHE_HOME,
  ESCRIBA_SPEAKER_MODEL,
  ESCRIBA_SPEECH_FAST_MODEL,
  ESCRIBA_UPSTREAMS,
  ESCRIBA_DOCTOR_CONNECTIONS: z.coerce
    .number()
    .int()
    .min(0)
    .default(0)
    .describe(
      "Connections to PostgreSQL that all processes together may open, to be held against its limit; 0: unknown.",
    ),
  ESCRIBA_DOCTOR_DEMAND_URL: z
    .url({ protocol: /^https?$/ })
    .or(z.literal(""))
    .default("")
    .describe(
      "The API's demand endpoint as the operator asks it, e.g. http://escriba-api-metrics:9464/internal/demand.",
    ),
  ESCRIBA_DEMAND_TOKEN: z.string().default("").describe("Bearer token of the demand endpoint."),
  ESCRIBA_DOCTOR_OPERATOR_URL: z
    .url({ protocol: /^https?$/ })
    .or(z.literal(""))
    .default("")
    .describe("The operator's metrics and health listener, e.g. http://escriba-operator-metrics:9464."),
});

export type Settings = z.output<typeof schema>;

/** Throws SettingsError with what to change. */
export function readConfig(environment: Record<string, string | undefined>): Settings {
  return readSettings(schema, environment);
}
