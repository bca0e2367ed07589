import { API_KEY_FORM } from "../../storage/api-keys.ts";
import type { Retention } from "../../storage/organizations.ts";
import { ApiError } from "../errors/api-error.ts";
import type { Services } from "../services.ts";
import { clientAddress, inRanges, type Range } from "./client-address.ts";
import type { Context } from "./request-context.ts";

/** Whoever holds a key, as far as a request needs to know. */
export interface Principal {
  keyId: string;
  organizationId: string;
  organizationSlug: string;
  defaultRetention: Retention;
  scopes: ReadonlySet<string>;
  /** Empty: any address. */
  allowedAddresses: readonly Range[];
  requestsPerMinute: number;
}

/** Key form, key, revocation, address: the first four checks of docs/decisions. */
export async function authenticate(context: Context, { keys, trustedProxies }: Services): Promise<Principal> {
  const key = await keys.find(bearer(context.headers.authorization ?? ""));
  if (key.allowedAddresses.length > 0) {
    const address = clientAddress(context.req, trustedProxies);
    if (!inRanges(address, key.allowedAddresses)) {
      throw new ApiError("missing_scope", {
        param: "ip_allowlist",
        message: "La dirección IP no está en la lista autorizada de la clave.",
      });
    }
  }
  return key;
}

/** A `sk_test_` key fails here, by form (section 5, rule 2). */
function bearer(header: string): string {
  if (header === "") throw new ApiError("missing_api_key");
  const key = /^Bearer +(\S+) *$/i.exec(header)?.[1];
  if (key === undefined || !API_KEY_FORM.test(key)) throw new ApiError("invalid_api_key");
  return key;
}
