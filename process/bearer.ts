import { createHash, timingSafeEqual } from "node:crypto";
import type { Handler, Routes } from "./metrics.ts";

/** The same routes, for whoever says `Authorization: Bearer <token>`; 401 for others. */
export function behindToken(token: string, routes: Routes): Routes {
  const guarded = (handler: Handler): Handler => {
    const wanted = digest(`Bearer ${token}`);
    return (request) => {
      // Digests, so that neither the time nor the length tells anything of the token.
      const said = digest(request.headers.authorization ?? "");
      return timingSafeEqual(said, wanted) ? handler(request) : { status: 401, body: { error: "unauthorized" } };
    };
  };
  return Object.fromEntries(
    Object.entries(routes).map(([path, methods]) => [
      path,
      Object.fromEntries(Object.entries(methods).map(([method, handler]) => [method, guarded(handler)])),
    ]),
  );
}

const digest = (text: string) => createHash("sha256").update(text).digest();
