import * as z from "zod";
import { jsonCall } from "../json-call.ts";
import { type WorkerStatus, workerStatus } from "../observation.ts";
import type { WorkerPort } from "./port.ts";

/** A worker answers in milliseconds; one that does not is asked again 2 s later. */
const ANSWER_MS = 1_000;
const MOST_BYTES = 64 * 1024;

const answer = workerStatus.extend({ version: z.literal(1) });

/** WorkerPort over HTTP. */
export const httpWorker: WorkerPort = {
  status: (address, token) => ask("GET", `${address}/status`, token),
  drain: (address, token) => ask("POST", `${address}/drain`, token),
  undrain: (address, token) => ask("DELETE", `${address}/drain`, token),
};

async function ask(method: "GET" | "POST" | "DELETE", url: string, token: string | null): Promise<WorkerStatus> {
  const { body } = await jsonCall({ method, url, token, timeoutMs: ANSWER_MS, mostBytes: MOST_BYTES });
  const parsed = answer.safeParse(body);
  if (!parsed.success) throw new Error(`${method} ${url}: not a worker's status: ${z.prettifyError(parsed.error)}`);
  const { version: _, ...status } = parsed.data;
  return status;
}
