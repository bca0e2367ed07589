import { tmpdir } from "node:os";
import * as z from "zod";
import { port, readSettings, shared } from "../process/settings.ts";
import { tracingFields } from "../process/tracing/settings.ts";
import { upstreamsSetting } from "../upstream/settings.ts";
import { secretsKeySetting } from "../webhooks/secrets.ts";
import { parseRanges } from "./middleware/client-address.ts";

/** 2 GB of the specification, as bytes of file. */
export const MAX_FILE_BYTES = 2 ** 31;

const list = () =>
  z
    .string()
    .default("")
    .transform((text) =>
      text
        .split(",")
        .map((item) => item.trim())
        .filter((item) => item !== ""),
    );

function isRanges(texts: string[]): boolean {
  try {
    parseRanges(texts);
    return true;
  } catch {
    return false;
  }
}

const seconds = (fallback: number) => z.coerce.number().min(0).max(86_400).default(fallback);

/** Every setting of the `api` role; the keys are the environment variables. */
export const schema = z.object({
  ESCRIBA_LOG_LEVEL: shared.ESCRIBA_LOG_LEVEL,
  ESCRIBA_DATABASE_URL: shared.ESCRIBA_DATABASE_URL,
  ESCRIBA_DATABASE_POOL: z.coerce
    .number()
    .int()
    .min(2)
    .max(1_000)
    .default(20)
    .describe("Most connections to PostgreSQL this process opens."),
  ESCRIBA_OBJECT_STORE: shared.ESCRIBA_OBJECT_STORE,
  ESCRIBA_SECRETS_KEY: secretsKeySetting(),
  ESCRIBA_API_HOST: z.string().default("127.0.0.1").describe("Address that clients are served on."),
  ESCRIBA_API_PORT: port().default(8080).describe("Port that clients are served on."),
  ESCRIBA_METRICS_HOST: shared.ESCRIBA_METRICS_HOST,
  ESCRIBA_METRICS_PORT: port().default(9464).describe("Port of the metrics and health listener."),
  ESCRIBA_DEMAND_TOKEN: z
    .string()
    .default("")
    .describe(
      "Bearer token with which the operator asks /internal/demand of the metrics listener; empty means nobody may.",
    ),
  ESCRIBA_DOCS_URL: z
    .url()
    .default("https://docs.escriba.dev")
    .transform((url) => url.replace(/\/+$/, ""))
    .describe("Where the documentation is served; `doc_url` of errors points there."),
  ESCRIBA_TRUSTED_PROXIES: list()
    .refine(isRanges, { error: "must be addresses and CIDR ranges" })
    .describe("Comma-separated addresses and CIDR ranges of proxies whose X-Forwarded-For is believed."),
  ESCRIBA_CORS_ORIGIN: z
    .string()
    .default("")
    .refine((text) => text === "" || URL.parse(text)?.origin === text, {
      error: "must be an origin as browsers send it, e.g. https://panel.example.com: no path, no slash at the end",
    })
    .describe("The one origin that browsers may call from, e.g. https://panel.example.com; empty means none."),
  ESCRIBA_SCRATCH_DIR: z.string().default(tmpdir()).describe("Directory for uploads while they are looked at."),
  ESCRIBA_MAX_FILE_BYTES: z.coerce
    .number()
    .int()
    .positive()
    .max(MAX_FILE_BYTES)
    .default(MAX_FILE_BYTES)
    .describe("Largest upload in bytes; disks smaller than 2 GB want less."),
  ESCRIBA_UPSTREAMS: upstreamsSetting(),
  ...tracingFields,
  ESCRIBA_PROBES: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .default(2)
    .describe("Uploads measured at once; each takes a process of up to 120 MB."),
  ESCRIBA_UPLOAD_IDLE_SECONDS: seconds(60).describe("An upload that sends nothing for this long is given up."),
  ESCRIBA_GRACE_SECONDS: seconds(60).describe("How long a stopping API waits for running requests, uploads too."),
});

export type Settings = z.output<typeof schema>;

export function readConfig(env: Record<string, string | undefined> = process.env): Settings {
  return readSettings(schema, env);
}
