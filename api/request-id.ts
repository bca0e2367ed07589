import { randomUUID } from "node:crypto";

/** `req_` and 24 hexadecimal digits. Always ours: a client's own id would let it write into our logs. */
export function createRequestId(): string {
  // Node draws the randomness of 128 of these at a time; a system call each costs as much as the rest of a short request.
  // The digits left out hold its version and variant, which are the same in all.
  const uuid = randomUUID();
  return `req_${uuid.slice(0, 8)}${uuid.slice(9, 13)}${uuid.slice(24)}`;
}

/** Both names say the same: ours, and the one the official SDKs read. */
export function requestIdHeaders(id: string): Record<string, string> {
  return { "Service-Request-Id": id, "X-Request-Id": id };
}
