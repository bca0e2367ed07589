import { randomBytes } from "node:crypto";

/** `req_` and 24 hexadecimal digits. Always ours: a client's own id would let it write into our logs. */
export function createRequestId(): string {
  return `req_${randomBytes(12).toString("hex")}`;
}

/** Both names say the same: ours, and the one the official SDKs read. */
export function requestIdHeaders(id: string): Record<string, string> {
  return { "Service-Request-Id": id, "X-Request-Id": id };
}
