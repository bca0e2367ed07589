import * as z from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { deliveredEvents } from "../schemas/events.ts";
import { mediaType } from "./media-type.ts";

const header = z.object({
  "Service-Signature": z
    .string()
    .regex(/^t=\d+,v1=[0-9a-f]{64}$/)
    .meta({
      description:
        "`t` is the time of this attempt in seconds since 1970, `v1` the HMAC-SHA256 of `<t>.<raw body>` in hexadecimal, " +
        "keyed with the endpoint's whole `secret`. Check it over the bytes as they came, before parsing, and refuse a " +
        "`t` more than 300 seconds away from now.",
      example: `t=1795345111,v1=${"5f0c1d2e".repeat(8)}`,
    }),
  "Service-Event-Id": z.string().meta({
    description: "The event's id, the same on every attempt: an event may arrive more than once.",
    example: "evt_4f0Zq8cVb1xR7mT2kWn9sYdL",
  }),
});

const DESCRIPTION =
  "Any other status, a redirect or ten seconds of silence is a failed attempt. It is repeated after 1 min, 5 min, 30 min, " +
  "2 h and 6 h; the endpoint is disabled when the last one fails and nothing was delivered in between.";

/** What is POSTed to registered endpoints, by event name (section 6). */
export function webhooks(): ZodOpenApiPathsObject {
  return Object.fromEntries(
    Object.entries(deliveredEvents).map(([name, body]) => [
      name,
      {
        post: {
          operationId: `on ${name}`.replace(/[ .](\w)/g, (_, letter: string) => letter.toUpperCase()),
          tags: ["webhooks"],
          summary: String(body.meta()?.description),
          description: DESCRIPTION,
          security: [],
          requestParams: { header },
          requestBody: { required: true, content: { "application/json": mediaType(body) } },
          responses: { "2XX": { description: "Delivered. Answer quickly: the body is not read." } },
        },
      },
    ]),
  );
}
