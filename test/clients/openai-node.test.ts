import test from "ava";
import OpenAI, {
  APIError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
} from "openai";
import type { Tenant } from "../api/harness.ts";
import { vectorOf } from "../upstream/embeds.ts";
import { type Service, startService } from "./service.ts";

const SMALL = "service-llm-1-small";
const EMBED = "service-embed-1";
const messages = [{ role: "user" as const, content: "Di hola." }];

let service: Service;
let tenant: Tenant;
let client: OpenAI;
test.before(async () => {
  service = await startService();
  tenant = await service.harness.tenant();
  client = clientOf(tenant);
});
test.after.always(() => service?.stop());

function clientOf({ key }: { key: string }, options: { maxRetries?: number } = {}): OpenAI {
  return new OpenAI({ baseURL: service.baseUrl, apiKey: key, ...options });
}

test.serial("chat", async (t) => {
  const completion = await client.chat.completions.create({ model: SMALL, messages, max_tokens: 8 });
  t.regex(completion.id, /^chatcmpl_/);
  t.is(completion.choices[0]?.message.content, "Hola, ¿qué tal?");
  t.is(completion.choices[0]?.finish_reason, "stop");
  t.deepEqual(completion.usage, { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 });
  t.regex(completion._request_id ?? "", /^req_/);
});

test.serial("streaming chat by the raw iterator", async (t) => {
  const chunks = [];
  for await (const chunk of await client.chat.completions.create({ model: SMALL, messages, stream: true })) {
    chunks.push(chunk);
  }
  t.is(chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join(""), "Hola, ¿qué tal?");
  t.is(chunks.at(-1)?.choices[0]?.finish_reason, "stop");
  t.is(new Set(chunks.map(({ id }) => id)).size, 1);
});

test.serial("streaming chat by .stream()", async (t) => {
  const stream = client.chat.completions.stream({ model: SMALL, messages });
  let deltas = "";
  stream.on("content", (delta) => {
    deltas += delta;
  });
  const completion = await stream.finalChatCompletion();
  t.is(deltas, "Hola, ¿qué tal?");
  t.is(completion.choices[0]?.message.content, "Hola, ¿qué tal?");
  t.is(completion.choices[0]?.finish_reason, "stop");
});

test.serial("embeddings in the client's own encoding, which is base64, and as floats", async (t) => {
  for (const more of [{}, { encoding_format: "float" as const }, { encoding_format: null as never }]) {
    const { data, usage } = await client.embeddings.create({ model: EMBED, input: ["hola", "adiós"], ...more });
    t.deepEqual(
      data.map(({ embedding }) => [...embedding]),
      [vectorOf("hola"), vectorOf("adiós")],
    );
    t.deepEqual(usage, { prompt_tokens: 9, total_tokens: 9 });
  }
});

test.serial("models", async (t) => {
  const ids = [];
  for await (const { id } of client.models.list()) ids.push(id);
  t.true(ids.includes("service-llm-1-large"));
});

interface Raised {
  status: number;
  code: string;
  param?: string | null;
  error: abstract new (...arguments_: never[]) => Error;
}

const cases: [string, Raised, (t: { poor: Tenant }) => Promise<unknown>][] = [
  [
    "400 BadRequestError: a message of parts",
    { status: 400, code: "invalid_parameter", param: "messages.0.content", error: BadRequestError },
    () =>
      client.chat.completions.create({
        model: SMALL,
        messages: [{ role: "user", content: [{ type: "text", text: "Di hola." }] }],
      }),
  ],
  [
    "400 BadRequestError: an unknown model",
    { status: 400, code: "invalid_model", param: "model", error: BadRequestError },
    () => client.embeddings.create({ model: "text-embedding-3-small", input: "hola" }),
  ],
  [
    "401 AuthenticationError",
    { status: 401, code: "invalid_api_key", error: AuthenticationError },
    () => clientOf({ key: "sk_test_0" }).embeddings.create({ model: EMBED, input: "hola" }),
  ],
  [
    "402 APIError: embeddings without balance",
    { status: 402, code: "insufficient_credit", error: APIError },
    ({ poor }) => clientOf(poor).embeddings.create({ model: EMBED, input: "hola" }),
  ],
  [
    "402 APIError: a stream without balance, before its first chunk",
    { status: 402, code: "insufficient_credit", error: APIError },
    ({ poor }) => clientOf(poor).chat.completions.create({ model: SMALL, messages, stream: true }),
  ],
  [
    "404 NotFoundError",
    { status: 404, code: "resource_not_found", error: NotFoundError },
    () => client.models.retrieve("gpt-4o"),
  ],
];
for (const [what, expected, act] of cases) {
  test.serial(what, async (t) => {
    const error = await t.throwsAsync(act({ poor: await service.harness.tenant({ credit: "0" }) }));
    t.is(error?.constructor, expected.error);
    t.like(error, { status: expected.status, code: expected.code });
    if (expected.param) t.like(error, { param: expected.param });
    t.regex((error as APIError).requestID ?? "", /^req_/);
  });
}

test.serial("403 PermissionDeniedError", async (t) => {
  const narrow = clientOf(await service.harness.tenant({ scopes: ["embeddings:invoke"] }));
  const error = await t.throwsAsync(narrow.chat.completions.create({ model: SMALL, messages }), {
    instanceOf: PermissionDeniedError,
  });
  t.like(error, { status: 403, code: "missing_scope", param: "llm:invoke" });
});

test.serial("409 ConflictError, not repeated: x-should-retry is obeyed", async (t) => {
  const busy = await service.harness.tenant();
  const headers = { "Idempotency-Key": "k" };
  const ask = (input: string) => clientOf(busy).embeddings.create({ model: EMBED, input }, { headers });
  await ask("uno");
  const error = await t.throwsAsync(ask("dos"), { instanceOf: ConflictError });
  t.like(error, { status: 409, code: "idempotency_key_reused" });
  t.is(service.requests(busy), 2);
});

test.serial(
  "429 RateLimitError; with retries left the client waits as long as Retry-After says, and succeeds",
  async (t) => {
    const hurried = await service.harness.tenant();
    await service.exhaust(hurried);
    const ask = (who: Tenant, maxRetries: number) =>
      clientOf(who, { maxRetries }).embeddings.create({ model: EMBED, input: "hola" });
    const error = await t.throwsAsync(ask(hurried, 0), { instanceOf: RateLimitError });
    t.like(error, { status: 429, code: "rate_limit_exceeded" });
    const patient = await service.harness.tenant();
    await service.exhaust(patient);
    t.is((await ask(patient, 1)).data.length, 1);
    t.is(service.requests(patient), 2);
  },
);
