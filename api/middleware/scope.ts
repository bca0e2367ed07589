import { ApiError } from "../errors/api-error.ts";
import type { Route } from "../route.ts";
import type { Step } from "./request-context.ts";

/** 403 `missing_scope`, whose `param` names the scope (section 5, rule 6). */
export function requireScope(access: Route["access"]): Step {
  return (context, next) => {
    if (access !== "any key" && !context.state.key?.scopes.has(access)) {
      throw new ApiError("missing_scope", { param: access, message: `La clave no tiene el permiso «${access}».` });
    }
    return next();
  };
}
