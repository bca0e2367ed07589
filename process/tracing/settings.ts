import * as z from "zod";

/** Fields for the settings of a process that makes traces. */
export const tracingFields = {
  ESCRIBA_OTLP_ENDPOINT: z
    .string()
    .default("")
    .refine((text) => text === "" || /^https?:$/.test(URL.parse(text)?.protocol ?? ""), {
      error: "must be an http:// or https:// URL",
    })
    .describe(
      "Base URL of an OpenTelemetry collector that takes OTLP over HTTP, e.g. http://collector:4318; empty means no traces are made.",
    ),
  ESCRIBA_OTLP_HEADERS: z
    .string()
    .default("")
    .transform((text, context) => {
      const pairs = text.split(",").flatMap((pair) => {
        const [, name, value] = /^\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
        if (name !== undefined && value !== undefined) return [[name, value] as const];
        if (pair.trim() !== "")
          context.addIssue({ code: "custom", message: "must be name=value, separated by commas" });
        return [];
      });
      return Object.fromEntries(pairs);
    })
    .describe("Headers for the collector, name=value separated by commas, e.g. of its authentication."),
  ESCRIBA_TRACE_RATIO: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe("Share of traces that is sent, 0 to 1; of one trace all spans or none."),
};

export interface TracingSettings {
  ESCRIBA_OTLP_ENDPOINT: string;
  ESCRIBA_OTLP_HEADERS: Record<string, string>;
  ESCRIBA_TRACE_RATIO: number;
}
