import test from "ava";
import type { Tenant } from "../api/harness.ts";
import { vectorOf } from "../upstream/embeds.ts";
import { type PythonClient, type Service, startPythonClient, startService } from "./service.ts";

let service: Service;
let tenant: Tenant;
let python: PythonClient;
test.before(async () => {
  service = await startService();
  tenant = await service.harness.tenant();
  python = await startPythonClient("openai_client.py", service.baseUrl);
});
test.after.always(async () => {
  await python?.stop();
  await service?.stop();
});

test.serial("chat", async (t) => {
  const completion = await python.ask({ do: "chat", key: tenant.key });
  t.like(completion, {
    object: "chat.completion",
    model: "service-llm-1-small",
    usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
  });
  t.regex(completion.id, /^chatcmpl_/);
  t.like(completion.choices[0], {
    index: 0,
    finish_reason: "stop",
    message: { role: "assistant", content: "Hola, ¿qué tal?" },
  });
});

test.serial("streaming chat by the raw iterator", async (t) => {
  const { chunks } = await python.ask({ do: "stream", key: tenant.key });
  t.is(
    chunks
      .map(({ choices }: { choices: [{ delta: { content?: string } }] }) => choices[0].delta.content ?? "")
      .join(""),
    "Hola, ¿qué tal?",
  );
  t.is(chunks[0].choices[0].delta.role, "assistant");
  t.is(chunks.at(-1).choices[0].finish_reason, "stop");
  t.is(new Set(chunks.map(({ id }: { id: string }) => id)).size, 1);
  for (const chunk of chunks) t.is(chunk.usage, undefined);
});

test.serial("streaming chat by .stream()", async (t) => {
  const { events, ...rest } = await python.ask({ do: "stream_helper", key: tenant.key });
  t.deepEqual(rest, { deltas: "Hola, ¿qué tal?", content: "Hola, ¿qué tal?", finish_reason: "stop" });
  t.true(events.includes("content.done"));
});

test.serial("embeddings in the client's own encoding, which is base64, and as floats", async (t) => {
  for (const encoding of [{}, { encoding_format: "float" }]) {
    const answer = await python.ask({ do: "embed", key: tenant.key, input: ["hola", "adiós"], ...encoding });
    t.is(answer.object, "list");
    t.deepEqual(
      answer.data.map(({ embedding }: { embedding: number[] }) => embedding),
      [vectorOf("hola"), vectorOf("adiós")],
    );
    t.deepEqual(answer.usage, { prompt_tokens: 9, total_tokens: 9 });
  }
});

test.serial("the asynchronous client", async (t) => {
  const { chat, embeddings, ends } = await python.ask({ do: "asynchronous", key: tenant.key });
  t.is(chat.choices[0].message.content, "Hola, ¿qué tal?");
  t.deepEqual(embeddings.data[0].embedding, vectorOf("hola"));
  t.is(ends.at(-1), "stop");
});

test.serial("models", async (t) => {
  const { ids } = await python.ask({ do: "models", key: tenant.key });
  t.true(ids.includes("service-llm-1-large"));
  t.is((await python.ask({ do: "model", key: tenant.key, id: "service-embed-1" })).owned_by, "escriba");
});

const raised = async (question: { do: string; [argument: string]: unknown }) => (await python.ask(question)).raised;

test.serial("400 BadRequestError: tokens, an unknown model, a refused response format", async (t) => {
  const key = tenant.key;
  t.like(await raised({ do: "embed", key, input: [[15_496, 995]] }), {
    class: "BadRequestError",
    status: 400,
    code: "invalid_parameter",
    param: "input.0",
    type: "invalid_request_error",
  });
  const format = { type: "json_schema", json_schema: { name: "a", schema: { type: "object" } } };
  const refused = await raised({ do: "chat", key, response_format: format });
  t.like(refused, { class: "BadRequestError", status: 400, code: "invalid_parameter", param: "response_format.type" });
  t.regex(refused.request_id, /^req_/);
});

test.serial("401 AuthenticationError, at once", async (t) => {
  const error = await raised({ do: "embed", key: `sk_live_${"x".repeat(32)}`, input: "hola" });
  t.like(error, { class: "AuthenticationError", status: 401, code: "invalid_api_key", type: "authentication_error" });
});

test.serial("402 APIStatusError, streaming or not, and not repeated", async (t) => {
  const poor = await service.harness.tenant({ credit: "0" });
  const error = { class: "APIStatusError", status: 402, code: "insufficient_credit", type: "insufficient_credit" };
  t.like(await raised({ do: "embed", key: poor.key, input: "hola" }), error);
  t.like(await raised({ do: "chat", key: poor.key }), error);
  t.like(await raised({ do: "stream", key: poor.key }), error);
  t.is(service.requests(poor), 3);
});

test.serial("403 PermissionDeniedError", async (t) => {
  const { key } = await service.harness.tenant({ scopes: ["llm:invoke"] });
  const error = await raised({ do: "embed", key, input: "hola" });
  t.like(error, { class: "PermissionDeniedError", status: 403, code: "missing_scope", param: "embeddings:invoke" });
});

test.serial("404 NotFoundError", async (t) => {
  const error = await raised({ do: "model", key: tenant.key, id: "gpt-4o" });
  t.like(error, { class: "NotFoundError", status: 404, code: "resource_not_found" });
});

test.serial("409 ConflictError, not repeated: x-should-retry is obeyed", async (t) => {
  const { key, ...busy } = await service.harness.tenant();
  const headers = { "Idempotency-Key": "k" };
  await python.ask({ do: "embed", key, input: "uno", headers });
  const error = await raised({ do: "embed", key, input: "dos", headers });
  t.like(error, { class: "ConflictError", status: 409, code: "idempotency_key_reused" });
  t.is(service.requests({ key, ...busy }), 2);
});

test.serial(
  "429 RateLimitError; with retries left the client waits as long as Retry-After says, and succeeds",
  async (t) => {
    const hurried = await service.harness.tenant();
    await service.exhaust(hurried);
    const error = await raised({ do: "embed", key: hurried.key, input: "hola", retries: 0 });
    t.like(error, { class: "RateLimitError", status: 429, code: "rate_limit_exceeded", type: "rate_limit_error" });
    const patient = await service.harness.tenant();
    await service.exhaust(patient);
    const { data } = await python.ask({ do: "embed", key: patient.key, input: "hola", retries: 1 });
    t.is(data.length, 1);
    t.is(service.requests(patient), 2);
  },
);
