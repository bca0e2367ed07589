import { readFile } from "node:fs/promises";
import { Connection } from "@temporalio/client";
import { NativeConnection } from "@temporalio/worker";
import type { TemporalSettings } from "./temporal-settings.ts";

/** For workers. Rejects, naming the address, when the server is not reached or does not let us in. */
export async function connectWorkers(settings: TemporalSettings): Promise<NativeConnection> {
  const options = await optionsOf(settings);
  return NativeConnection.connect(options).catch((error) => {
    throw unreachable(settings, error);
  });
}

/** For clients: the relay, administration. Rejects as `connectWorkers` does. */
export async function connectClient(
  settings: TemporalSettings,
  limits: { connectTimeout?: number } = {},
): Promise<Connection> {
  const options = await optionsOf(settings);
  return Connection.connect({ ...options, ...limits }).catch((error) => {
    throw unreachable(settings, error);
  });
}

async function optionsOf({ address, tls, apiKey }: TemporalSettings) {
  return { address, tls: tls && (await tlsOf(tls)), ...(apiKey !== null && { apiKey }) };
}

async function tlsOf({ caFile, certFile, keyFile, serverName }: NonNullable<TemporalSettings["tls"]>) {
  const [ca, crt, key] = await Promise.all([caFile, certFile, keyFile].map(read));
  return {
    ...(serverName !== null && { serverNameOverride: serverName }),
    ...(ca && { serverRootCACertificate: ca }),
    ...(crt && key && { clientCertPair: { crt, key } }),
  };
}

async function read(file: string | null): Promise<Buffer | undefined> {
  if (file === null) return undefined;
  return readFile(file).catch((error) => {
    throw new Error(`the file ${file} for Temporal cannot be read: ${error.message}`, { cause: error });
  });
}

function unreachable({ address, tls }: TemporalSettings, error: unknown): Error {
  const how = tls ? " by TLS" : "";
  const why = error instanceof Error ? error.message : String(error);
  return new Error(`Temporal at ${address} cannot be reached${how}: ${why}`, { cause: error });
}
