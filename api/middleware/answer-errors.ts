import { ApiError } from "../errors/api-error.ts";
import { asApiError, errorAnswer } from "../errors/body.ts";
import { ClientGone, type Step } from "./request-context.ts";

/** Everything thrown below becomes the one error body here; what is our fault is logged with its cause. */
export function answerErrors(docsUrl: string): Step {
  return async (context, next) => {
    try {
      await next();
    } catch (thrown) {
      if (thrown instanceof ClientGone || context.state.left) {
        context.respond = false;
        return;
      }
      const error = asApiError(thrown);
      if (error.status >= 500) context.state.log.error({ err: error.cause ?? error, code: error.code }, error.message);
      const { status, headers, body } = errorAnswer(error, context.state.requestId, docsUrl);
      context.state.errorCode = error.code;
      context.status = status;
      context.set(headers);
      context.body = body;
    }
  };
}

/** What nobody answered: no such route, or not by this method (405 with `Allow`). */
export function unknownRoute(methodsOf: (path: string) => string[]): Step {
  return (context) => {
    const methods = methodsOf(context.path);
    if (methods.length === 0) throw new ApiError("resource_not_found", { message: "La ruta no existe." });
    throw new MethodNotAllowed(methods);
  };
}

/** 405 has no code of its own in section 7; it shares `resource_not_found` (docs/decisions). */
class MethodNotAllowed extends ApiError {
  override readonly status = 405;
  constructor(methods: string[]) {
    super("resource_not_found", {
      message: "El método no se admite en esta ruta.",
      headers: { Allow: methods.join(", ") },
    });
  }
}
