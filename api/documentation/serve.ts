import { readFile } from "node:fs/promises";
import type { Step } from "../middleware/request-context.ts";
import { openApiDocument } from "../openapi/document.ts";
import { routes } from "../routes.ts";
import { errorsPage } from "./errors-page.ts";
import { makePage, type Page } from "./page.ts";

/** Everything comes from here and nothing runs inline. Swagger UI draws its arrows from data: images. */
const POLICY = [
  ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'"],
  ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
].join("; ");

const HTML = "text/html; charset=utf-8";
const SCRIPT = "text/javascript; charset=utf-8";
const STYLE = "text/css; charset=utf-8";

/** Public, by path; each is made when it is first asked for. */
function sources(docsUrl: string): Record<string, () => Promise<Page>> {
  const own = (name: string) => readFile(new URL(name, import.meta.url));
  const swagger = (name: string) => readFile(new URL(import.meta.resolve(`swagger-ui-dist/${name}`)));
  return {
    "/openapi.json": () =>
      makePage("application/json; charset=utf-8", JSON.stringify(openApiDocument(routes, { docsUrl }))),
    "/docs": async () => makePage(HTML, await own("reference.html")),
    "/docs/errors": () => makePage(HTML, errorsPage()),
    "/docs/assets/reference.js": async () => makePage(SCRIPT, await own("reference.js")),
    "/docs/assets/page.css": async () => makePage(STYLE, await own("page.css")),
    "/docs/assets/swagger-ui-bundle.js": async () => makePage(SCRIPT, await swagger("swagger-ui-bundle.js")),
    "/docs/assets/swagger-ui.css": async () => makePage(STYLE, await swagger("swagger-ui.css")),
  };
}

/**
 * `/openapi.json`, `/docs` (its reader, which needs no internet) and `/docs/errors`, where `doc_url` leads when
 * `ESCRIBA_DOCS_URL` is this server's own `/docs`. References in the pages are relative, so a path in front is no harm.
 */
export function documentation(docsUrl: string): Step {
  const known = sources(docsUrl);
  const made = new Map<string, Promise<Page>>();
  return async (context, next) => {
    const { path, method } = context;
    const make = Object.hasOwn(known, path) ? known[path] : undefined;
    if (make === undefined || (method !== "GET" && method !== "HEAD")) return next();
    context.state.route = path;
    const page = made.get(path) ?? make();
    made.set(path, page);
    page.catch(() => made.delete(path));
    const { body, gzipped, contentType, etag } = await page;
    context.set({
      "Cache-Control": "public, max-age=300",
      "Content-Security-Policy": POLICY,
      "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff",
    });
    context.vary("Accept-Encoding");
    context.type = contentType;
    // Weak: one for both encodings.
    context.etag = `W/"${etag}"`;
    context.status = 200;
    if (context.fresh) {
      context.status = 304;
      return;
    }
    if (context.acceptsEncodings("gzip", "identity") === "gzip") context.set("Content-Encoding", "gzip");
    context.body = context.response.get("Content-Encoding") === "gzip" ? gzipped : body;
  };
}
