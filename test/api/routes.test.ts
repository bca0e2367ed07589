import test from "ava";
import { ERRORS } from "../../api/errors/table.ts";
import { errorsOf } from "../../api/route.ts";
import { routes } from "../../api/routes.ts";

test("every route is named once, announces codes of the table, and says 404 where it takes an id", (t) => {
  t.is(new Set(routes.map(({ operation }) => operation)).size, routes.length);
  t.is(new Set(routes.map(({ method, path }) => `${method} ${path}`)).size, routes.length);
  for (const { errors, path, operation, request } of routes) {
    for (const code of errors) t.true(code in ERRORS, `${operation}: ${code}`);
    t.is(path.includes("{"), errors.includes("resource_not_found") && request.path !== undefined, operation);
  }
});

test("the routes are those of section 4 and the two of decisions: no search, no cancelling, no analysis templates", (t) => {
  t.deepEqual(routes.map(({ method, path, access }) => `${method} ${path} ${access}`).sort(), [
    "DELETE /v1/files/{id} files:write",
    "DELETE /v1/transcripts/{id} transcripts:write",
    "DELETE /v1/webhooks/{id} transcripts:write",
    "GET /v1/balance usage:read",
    "GET /v1/files/{id} files:write",
    "GET /v1/me any key",
    "GET /v1/models public",
    "GET /v1/models/{id} any key",
    "GET /v1/transcripts transcripts:read",
    "GET /v1/transcripts/{id} transcripts:read",
    "GET /v1/transcripts/{id}.srt transcripts:read",
    "GET /v1/transcripts/{id}.txt transcripts:read",
    "GET /v1/transcripts/{id}.vtt transcripts:read",
    "GET /v1/webhooks transcripts:write",
    "GET /v1/webhooks/{id}/deliveries transcripts:write",
    "POST /v1/chat/completions llm:invoke",
    "POST /v1/embeddings embeddings:invoke",
    "POST /v1/files files:write",
    "POST /v1/transcripts transcripts:write",
    "POST /v1/webhooks transcripts:write",
    "POST /v1/webhooks/{id}/enable transcripts:write",
  ]);
});

test("the codes that are declared and not emitted are announced by no route; every other one is by some", (t) => {
  const declared = ["expired_api_key", "spend_cap_reached", "ip_not_allowed", "queue_saturated"];
  const unusable = ["audio_corrupt", "audio_silent", "audio_too_short"];
  const announced = new Set<string>(routes.flatMap(errorsOf));
  const silent = Object.keys(ERRORS).filter((code) => !announced.has(code));
  t.deepEqual(silent.sort(), [...declared, ...unusable].sort());
});
