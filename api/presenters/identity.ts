import type { Principal } from "../middleware/authenticate.ts";

export function presentIdentity(key: Principal) {
  return {
    organization: { id: key.organizationId, slug: key.organizationSlug },
    key: { id: key.keyId, environment: "live", scopes: [...key.scopes] },
    default_retention: key.defaultRetention,
  };
}
