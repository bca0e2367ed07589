import type { ApiError } from "../kubernetes/api.ts";
import type { CreateFailure } from "../observation.ts";

/**
 * Why the API server did not want a pod; null when it is the server that is not well, and the same request may do in a
 * moment. Kubernetes says it in words only.
 */
export function refusalReason({ code, message }: ApiError): CreateFailure["reason"] | null {
  if (/exceeded quota/i.test(message)) return "Quota";
  if (/webhook/i.test(message)) return "Admission";
  if (code === 400 || code === 422) return "Invalid";
  if (code === 403) return "Admission";
  if (code === 429 || code >= 500) return null;
  return "Other";
}
