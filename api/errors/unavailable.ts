/** Codes of Node (sockets, a full disk) and of Prisma (P1001 cannot reach … P2037 too many connections). */
const CODES = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOSPC",
  "P1001",
  "P1002",
  "P1008",
  "P1017",
  "P2024",
  "P2037",
]);
/** What Prisma's adapter says instead in `meta.driverAdapterError.cause.kind` of a raw query. */
const KINDS = new Set([
  "DatabaseNotReachable",
  "ConnectionClosed",
  "SocketTimeout",
  "TooManyConnections",
  "TlsConnectionError",
  "AuthenticationFailed",
  "DatabaseAccessDenied",
  "DatabaseDoesNotExist",
]);
/** SQLSTATE classes: 08 connection, 53 insufficient resources, 57 operator intervention (shutdown, cancel). */
const SQLSTATES = /^(08|53|57)[0-9A-Z]{3}$/;
/** pg and its pool report some lost connections without a code. */
const TEXTS =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/;

/** S3 clients put the status of their answer here. */
interface StoreAnswer {
  $metadata?: { httpStatusCode?: number };
}

/** True when an error says that a dependency does not answer now, rather than that something is wrong with us. */
export function isUnavailable(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > 4) return false;
  const { code, meta } = error as { code?: unknown; meta?: { driverAdapterError?: { cause?: AdapterCause } } };
  if (typeof code === "string" && (CODES.has(code) || SQLSTATES.test(code))) return true;
  const cause = meta?.driverAdapterError?.cause;
  if (cause && (KINDS.has(cause.kind ?? "") || SQLSTATES.test(cause.originalCode ?? ""))) return true;
  if (((error as StoreAnswer).$metadata?.httpStatusCode ?? 0) >= 500) return true;
  if (TEXTS.test(error.message)) return true;
  if (error instanceof AggregateError && error.errors.some((inner) => isUnavailable(inner, depth + 1))) return true;
  return isUnavailable(error.cause, depth + 1);
}

interface AdapterCause {
  kind?: string;
  originalCode?: string;
}
