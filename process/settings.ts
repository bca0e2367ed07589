import * as z from "zod";

/**
 * Reads the environment once, through a zod object whose every field carries `.describe(…)` and whose keys are the
 * variables' names. The result is frozen. A process's own `config.ts` is the only caller (house.md).
 */
export function readSettings<S extends z.ZodObject>(schema: S, env: Record<string, string | undefined>): z.output<S> {
  // An empty variable is how charts and shells spell "unset".
  const present = Object.fromEntries(
    Object.keys(schema.shape).map((name) => [name, env[name] === "" ? undefined : env[name]]),
  );
  const parsed = schema.safeParse(present);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join(".")}: ${issue.message}`);
    throw new SettingsError(`settings are not usable:\n${lines.join("\n")}`);
  }
  return Object.freeze(parsed.data) as z.output<S>;
}

export class SettingsError extends Error {
  override name = "SettingsError";
}

/** One row a setting, for `--help` and for docs/settings.md. */
export function describeSettings(schema: z.ZodObject): { name: string; description: string; default: string }[] {
  const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  const required = new Set(json.required ?? []);
  return Object.entries(json.properties ?? {}).map(([name, property]) => {
    const field = property as { description?: string; default?: unknown };
    return {
      name,
      description: field.description ?? "",
      default: required.has(name) ? "(required)" : field.default === undefined ? "" : String(field.default),
    };
  });
}

/** Fields that several processes share, described once. */
export const shared = {
  ESCRIBA_LOG_LEVEL: z
    .enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"])
    .default("info")
    .describe("Least severe log line that is written."),
  ESCRIBA_DATABASE_URL: z.string().min(1).describe("PostgreSQL connection string."),
  ESCRIBA_OBJECT_STORE: z
    .string()
    .min(1)
    .describe(
      "Where audio and results live: file:///directory, or s3://bucket/prefix?endpoint=URL&region=NAME, with &path_style=false where the bucket must be in the host name.",
    ),
  ESCRIBA_TEMPORAL_ADDRESS: z.string().default("127.0.0.1:7233").describe("host:port of the Temporal frontend."),
  ESCRIBA_TEMPORAL_NAMESPACE: z.string().default("default").describe("Temporal namespace."),
  ESCRIBA_MODELS_DIR: z
    .string()
    .default("")
    .describe("Model cache; empty means $XDG_CACHE_HOME/escriba/models or ~/.cache/escriba/models."),
  ESCRIBA_METRICS_HOST: z.string().default("127.0.0.1").describe("Address of the metrics and health listener."),
};

/** A TCP port from the environment; 0 lets the system choose. */
export const port = () => z.coerce.number().int().min(0).max(65_535);
