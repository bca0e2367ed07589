import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import test, { type ExecutionContext } from "ava";
import * as z from "zod";
import { createLog } from "../../process/log.ts";
import { createRegistry } from "../../process/metrics.ts";
import { readSettings, SettingsError } from "../../process/settings.ts";
import type { Span } from "../../process/tracing/otlp.ts";
import { tracingFields } from "../../process/tracing/settings.ts";
import { isKept, newTrace, readTraceparent, traceOf } from "../../process/tracing/trace-context.ts";
import { createTracer } from "../../process/tracing/tracer.ts";

const schema = z.object(tracingFields);
const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";

// biome-ignore lint/suspicious/noExplicitAny: OTLP's JSON as it came
type Received = { headers: Record<string, unknown>; body: any }[];

/** What takes OTLP, and answers as it is told. */
async function collector(
  t: ExecutionContext,
  status: () => number = () => 200,
): Promise<{ url: string; received: Received }> {
  const received: Received = [];
  const server = createServer(async (request, response) => {
    received.push({ headers: { ...request.headers, path: request.url }, body: await json(request) });
    response.statusCode = status();
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.teardown(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

function tracerTo(url: string, more: Record<string, string> = {}) {
  const registry = createRegistry("test");
  const settings = readSettings(schema, { ESCRIBA_OTLP_ENDPOINT: url, ...more });
  const tracer = createTracer(settings, { service: "escriba-test", log: createLog("test", "silent"), registry });
  if (!tracer) throw new Error("no tracer");
  const outcomes = async () => {
    const { values } = (await registry.getSingleMetric("escriba_trace_spans_total")?.get()) ?? { values: [] };
    return Object.fromEntries(values.map(({ labels, value }) => [labels.outcome, value]));
  };
  return { tracer, outcomes };
}

const span = (over: Partial<Span> = {}): Span => ({
  trace: { traceId: TRACE },
  name: "recognise",
  kind: "consumer",
  start: 1_700_000_000_000.25,
  end: 1_700_000_001_000,
  attributes: { "escriba.queue": "speech", "escriba.attempt": 2, "escriba.ratio": 0.5, "escriba.last": true },
  ...over,
});

test("without an endpoint there is no tracer", (t) => {
  const parts = { service: "x", log: createLog("test", "silent"), registry: createRegistry("test") };
  t.is(createTracer(readSettings(schema, {}), parts), undefined);
});

test("a span arrives in OTLP's JSON form, with the headers that the collector asks for", async (t) => {
  const { url, received } = await collector(t);
  const { tracer, outcomes } = tracerTo(`${url}/`, {
    ESCRIBA_OTLP_HEADERS: "Authorization=Bearer a=b, x-tenant=calls",
  });
  tracer.record(span({ trace: { traceId: TRACE, parentId: PARENT }, error: "child_crashed" }));
  await tracer.close();
  const [{ headers, body } = { headers: {}, body: {} }] = received;
  t.is(headers.path, "/v1/traces");
  t.is(headers.authorization, "Bearer a=b");
  t.is(headers["x-tenant"], "calls");
  const [{ resource, scopeSpans }] = body.resourceSpans;
  t.deepEqual(resource.attributes[0], { key: "service.name", value: { stringValue: "escriba-test" } });
  const [sent] = scopeSpans[0].spans;
  t.regex(sent.spanId, /^[0-9a-f]{16}$/);
  t.like(sent, {
    traceId: TRACE,
    parentSpanId: PARENT,
    name: "recognise",
    kind: 5,
    startTimeUnixNano: "1700000000000250000",
    endTimeUnixNano: "1700000001000000000",
    status: { code: 2, message: "child_crashed" },
  });
  t.deepEqual(
    sent.attributes.map(({ value }: { value: object }) => value),
    [{ stringValue: "speech" }, { intValue: "2" }, { doubleValue: 0.5 }, { boolValue: true }],
  );
  t.is((await outcomes()).sent, 1);
});

test("many spans go in several requests, and a full batch goes at once", async (t) => {
  const { url, received } = await collector(t);
  const { tracer, outcomes } = tracerTo(url);
  for (let index = 0; index < 600; index++) tracer.record(span());
  await tracer.close();
  t.is(received.length, 3);
  t.is((await outcomes()).sent, 600);
});

test("a collector that refuses, or is not there, costs spans and nothing else", async (t) => {
  const { url } = await collector(t, () => 503);
  const refused = tracerTo(url);
  refused.tracer.record(span());
  await refused.tracer.close();
  t.deepEqual(await refused.outcomes(), { refused: 1, dropped: 0 });
  const nobody = tracerTo("http://127.0.0.1:1");
  for (let index = 0; index < 5_000; index++) nobody.tracer.record(span());
  await nobody.tracer.close();
  const { refused: lost = 0, dropped = 0 } = await nobody.outcomes();
  t.is(lost + dropped, 5_000);
});

test("of a trace all spans are kept or none, in about the share that was asked for", (t) => {
  const traces = Array.from({ length: 4_000 }, newTrace);
  const kept = traces.filter((trace) => isKept(trace, 0.25));
  t.true(kept.length > 800 && kept.length < 1_200);
  t.true(traces.every((trace) => isKept(trace, 1) && !isKept(trace, 0)));
  t.true(kept.every((trace) => isKept({ ...trace, parentId: PARENT }, 0.25)));
});

test("a caller's trace is continued, refused where it is not kept, and ignored where it is none", (t) => {
  t.deepEqual(readTraceparent(`00-${TRACE}-${PARENT}-01`), { traceId: TRACE, parentId: PARENT });
  t.deepEqual(readTraceparent(`cc-${TRACE}-${PARENT}-01-later`), { traceId: TRACE, parentId: PARENT });
  t.is(readTraceparent(`00-${TRACE}-${PARENT}-00`), null);
  for (const wrong of [
    undefined,
    "",
    "nonsense",
    `ff-${TRACE}-${PARENT}-01`,
    `00-${TRACE}-${PARENT}-01-more`,
    `00-${"0".repeat(32)}-${PARENT}-01`,
    `00-${TRACE}-${"0".repeat(16)}-01`,
  ]) {
    t.is(readTraceparent(wrong), undefined, wrong);
  }
});

test("the trace of one thing is the same everywhere", (t) => {
  t.deepEqual(traceOf("tr_1"), traceOf("tr_1"));
  t.notDeepEqual(traceOf("tr_1"), traceOf("tr_2"));
  t.regex(traceOf("tr_1").traceId, /^[0-9a-f]{32}$/);
});

for (const [name, value] of [
  ["ESCRIBA_OTLP_ENDPOINT", "collector:4318"],
  ["ESCRIBA_OTLP_HEADERS", "authorization"],
  ["ESCRIBA_TRACE_RATIO", "2"],
] as const) {
  test(`${name}=${value} is refused`, (t) => {
    t.throws(() => readSettings(schema, { [name]: value }), { instanceOf: SettingsError, message: new RegExp(name) });
  });
}
