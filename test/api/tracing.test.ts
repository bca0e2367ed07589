import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import test from "ava";
import { startHarness } from "./harness.ts";

test("each request is a span, in the caller's trace where it names one; no query, no header and no body is in it", async (t) => {
  // biome-ignore lint/suspicious/noExplicitAny: OTLP's JSON as it came
  const spans: any[] = [];
  const collector = createServer(async (request, response) => {
    // biome-ignore lint/suspicious/noExplicitAny: OTLP's JSON as it came
    const body = (await json(request)) as any;
    spans.push(...body.resourceSpans[0].scopeSpans[0].spans);
    response.end("{}");
  });
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
  t.teardown(() => collector.close());
  const { port } = collector.address() as AddressInfo;
  const harness = await startHarness({ ESCRIBA_OTLP_ENDPOINT: `http://127.0.0.1:${port}` });
  const tenant = await harness.tenant();
  const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
  const headers = { traceparent: `00-${trace}-00f067aa0ba902b7-01` };
  const me = await tenant.call("GET", "/v1/me", { headers });
  await tenant.call("GET", "/v1/transcripts?limit=word");
  await tenant.call("GET", "/v1/me", { headers: { traceparent: `00-${trace}-00f067aa0ba902b7-00` } });
  await harness.stop();

  t.deepEqual(
    spans.map(({ name }) => name),
    ["GET /v1/me", "GET /v1/transcripts"],
  );
  const [first, second] = spans;
  t.like(first, { traceId: trace, parentSpanId: "00f067aa0ba902b7", kind: 2 });
  t.not(second.traceId, trace);
  const about = Object.fromEntries(
    first.attributes.map(({ key, value }: { key: string; value: object }) => [key, Object.values(value)[0]]),
  );
  t.deepEqual(about, {
    "http.request.method": "GET",
    "http.route": "/v1/me",
    "http.response.status_code": "200",
    "escriba.request_id": me.headers.get("service-request-id"),
    "escriba.organization_id": tenant.organizationId,
  });
  t.true(BigInt(first.endTimeUnixNano) > BigInt(first.startTimeUnixNano));
  t.false(JSON.stringify(spans).includes("word"));
  t.false(JSON.stringify(spans).includes(tenant.key));
});
