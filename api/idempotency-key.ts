import { ApiError } from "./errors/api-error.ts";
import type { Route } from "./route.ts";

/** 1 to 255 visible ASCII characters (docs/decisions). */
const FORM = /^[\x21-\x7e]{1,255}$/;

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
  if (typeof header !== "string" || !FORM.test(header)) {
    throw new ApiError("invalid_parameter", {
      param,
      message: "«Idempotency-Key» debe tener de 1 a 255 caracteres ASCII visibles.",
    });
  }
  return header;
}
