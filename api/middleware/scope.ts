import { ApiError } from "../errors/api-error.ts";
import type { Route } from "../route.ts";
import type { Principal } from "./authenticate.ts";

/** 403 `missing_scope`, whose `param` names the scope (section 5, rule 6). */
export function requireScope(access: Route["access"], key: Principal): void {
  if (access !== "any key" && !key.scopes.has(access)) {
    throw new ApiError("missing_scope", { param: access, message: `La clave no tiene el permiso «${access}».` });
  }
}
