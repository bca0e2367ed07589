import * as z from "zod";
import { ApiError } from "./errors/api-error.ts";
import type { Route } from "./route.ts";

/** 1 to 255 visible ASCII characters (docs/decisions). */
export const idempotencyKeyHeader = z.string().regex(/^[\x21-\x7e]{1,255}$/);

/** The header's value, or undefined where it is absent or the route does not look at it. Throws ApiError. */
export function idempotencyKey(
  header: string | string[] | undefined,
  rule: Route["request"]["idempotencyKey"],
): string | undefined {
  if (header === undefined || rule === undefined) return undefined;
  const param = "Idempotency-Key";
  if (rule === "refused") {
    throw new ApiError("invalid_parameter", { param, message: "Esta ruta no admite «Idempotency-Key»." });
  }
  const parsed = idempotencyKeyHeader.safeParse(header);
  if (!parsed.success) {
    throw new ApiError("invalid_parameter", {
      param,
      message: "«Idempotency-Key» debe tener de 1 a 255 caracteres ASCII visibles.",
    });
  }
  return parsed.data;
}

/**
 * A stream is not stored, so it cannot be replayed (section 8). The key alone is no mistake, so the body had to be read
 * to know; nothing else of it counts then.
 */
export function refuseKeyWithStream(key: string | undefined, body: unknown): void {
  if (key === undefined || typeof body !== "object" || body === null) return;
  if ((body as { stream?: unknown }).stream !== true) return;
  const message = "«Idempotency-Key» no se admite con «stream».";
  throw new ApiError("invalid_parameter", { param: "Idempotency-Key", message });
}
