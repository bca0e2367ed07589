import * as z from "zod";
import { SettingsError, shared } from "../process/settings.ts";

/** Where Temporal is and how it is reached: of every role and command that connects to it. */
export const temporalFields = {
  ESCRIBA_TEMPORAL_ADDRESS: shared.ESCRIBA_TEMPORAL_ADDRESS,
  ESCRIBA_TEMPORAL_NAMESPACE: shared.ESCRIBA_TEMPORAL_NAMESPACE,
  ESCRIBA_TEMPORAL_TLS: z
    .stringbool()
    .optional()
    .describe("Whether Temporal is reached by TLS; unset means when any of the next five is set."),
  ESCRIBA_TEMPORAL_CA_FILE: z
    .string()
    .default("")
    .describe("PEM file of the authorities that Temporal's certificate may be of, instead of the system's."),
  ESCRIBA_TEMPORAL_CERT_FILE: z
    .string()
    .default("")
    .describe("PEM file of this side's certificate (mTLS), read when the process starts."),
  ESCRIBA_TEMPORAL_KEY_FILE: z.string().default("").describe("PEM file of the key of ESCRIBA_TEMPORAL_CERT_FILE."),
  ESCRIBA_TEMPORAL_SERVER_NAME: z
    .string()
    .default("")
    .describe("Name that Temporal's certificate is for, where it is not that of the address."),
  ESCRIBA_TEMPORAL_API_KEY: z.string().default("").describe("API key of Temporal, sent as a bearer token."),
};

export interface TemporalSettings {
  /** host:port. */
  address: string;
  namespace: string;
  /** Null: in the clear. */
  tls: { caFile: string | null; certFile: string | null; keyFile: string | null; serverName: string | null } | null;
  apiKey: string | null;
}

type Parsed = z.output<z.ZodObject<typeof temporalFields>>;

/** Throws SettingsError when the fields contradict each other. */
export function readTemporalSettings(settings: Parsed): TemporalSettings {
  const tls = {
    caFile: settings.ESCRIBA_TEMPORAL_CA_FILE || null,
    certFile: settings.ESCRIBA_TEMPORAL_CERT_FILE || null,
    keyFile: settings.ESCRIBA_TEMPORAL_KEY_FILE || null,
    serverName: settings.ESCRIBA_TEMPORAL_SERVER_NAME || null,
  };
  const apiKey = settings.ESCRIBA_TEMPORAL_API_KEY || null;
  const given = Object.values(tls).some((value) => value !== null);
  if ((tls.certFile === null) !== (tls.keyFile === null)) {
    throw wrong("ESCRIBA_TEMPORAL_CERT_FILE and ESCRIBA_TEMPORAL_KEY_FILE: both or neither");
  }
  if (settings.ESCRIBA_TEMPORAL_TLS === false && given) {
    throw wrong("ESCRIBA_TEMPORAL_TLS: is false, and a certificate, an authority or a server name is set");
  }
  return {
    address: settings.ESCRIBA_TEMPORAL_ADDRESS,
    namespace: settings.ESCRIBA_TEMPORAL_NAMESPACE,
    tls: (settings.ESCRIBA_TEMPORAL_TLS ?? (given || apiKey !== null)) ? tls : null,
    apiKey,
  };
}

const wrong = (text: string) => new SettingsError(`settings are not usable:\n  ${text}`);
