import { createHash, randomBytes } from "node:crypto";

/** Where a span belongs: 32 and 16 hexadecimal digits, as W3C Trace Context writes them. */
export interface TraceContext {
  traceId: string;
  /** Of the span above, if there is one. */
  parentId?: string;
}

/**
 * The trace that a `traceparent` header continues. Undefined for a header that is none (W3C Trace Context, 3.2), and
 * null where the caller has decided that this trace is not kept.
 */
export function readTraceparent(header: string | undefined): TraceContext | null | undefined {
  const parts = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(header ?? "");
  if (!parts) return undefined;
  const [, version = "", traceId = "", parentId = "", flags = "", more] = parts;
  const allZero = /^0+$/;
  if (version === "ff" || (version === "00" && more) || allZero.test(traceId) || allZero.test(parentId))
    return undefined;
  return Number.parseInt(flags, 16) & 1 ? { traceId, parentId } : null;
}

/**
 * The trace of everything that is done for one thing, wherever it is done: nothing has to travel with the work, and who
 * knows a transcript's id knows its trace, the first 16 bytes of the id's SHA-256.
 */
export function traceOf(id: string): TraceContext {
  return { traceId: createHash("sha256").update(id).digest("hex").slice(0, 32) };
}

export const newTrace = (): TraceContext => ({ traceId: randomBytes(16).toString("hex") });
export const newSpanId = (): string => randomBytes(8).toString("hex");

/** Whether a trace is among the share that is kept; every process answers the same of one trace. */
export function isKept({ traceId }: TraceContext, ratio: number): boolean {
  return Number.parseInt(traceId.slice(-8), 16) < ratio * 2 ** 32;
}
