import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { missingBinary } from "../../inference/chat/binary.ts";
import { chatModelName, readConfig, threadsOf } from "../../inference/config.ts";
import { SettingsError } from "../../process/settings.ts";
import { errorOf, serverForFile, startServer } from "./server.ts";

const server = serverForFile(test, { ESCRIBA_INFERENCE_MAX_BODY_BYTES: "20000" });
const chat = "/v1/chat/completions";
const hi = { model: "smollm2-135m-instruct", messages: [{ role: "user", content: "Hi" }], max_tokens: 2 };

test("models are listed as OpenAI lists them", async (t) => {
  const response = await fetch(`${server().url}/v1/models`);
  const { object, data } = (await response.json()) as { object: string; data: Record<string, unknown>[] };
  t.is(object, "list");
  t.deepEqual(
    data.map(({ id, object: kind, owned_by }) => ({ id, kind, owned_by })),
    [
      { id: "smollm2-135m-instruct", kind: "model", owned_by: "escriba" },
      { id: "all-minilm-l6-v2", kind: "model", owned_by: "escriba" },
    ],
  );
});

test("health says of each model whether it is there", async (t) => {
  const response = await fetch(`${server().url}/health`);
  t.is(response.status, 200);
  t.deepEqual(await response.json(), { status: "ok", models: { chat: "ready", embeddings: "ready" } });
});

test("metrics count requests, tokens and seconds in base units", async (t) => {
  const { usage } = await server().embed({ input: ["one", "two"] });
  const text = await (await fetch(`${server().url}/metrics`)).text();
  for (const name of ["queue_depth", "running", "requests_total", "request_seconds", "first_token_seconds"])
    t.regex(text, new RegExp(`^# TYPE escriba_inference_${name} `, "m"));
  t.is(
    await server().metric("escriba_inference_tokens_total", { kind: "embeddings", direction: "prompt" }),
    usage.prompt_tokens,
  );
  t.true((await server().metric("escriba_inference_model_resident_bytes", { kind: "embeddings" })) > 50e6);
});

for (const [name, body, param] of [
  ["no model", { messages: [] }, "model"],
  ["no messages", { ...hi, messages: [] }, "messages"],
  ["a tool's message", { ...hi, messages: [{ role: "tool", content: "x" }] }, "messages.0.role"],
  ["an image", { ...hi, messages: [{ role: "user", content: [{ type: "image_url" }] }] }, "messages.0.content"],
  ["a temperature of 3", { ...hi, temperature: 3 }, "temperature"],
  ["0 tokens", { ...hi, max_tokens: 0 }, "max_tokens"],
  ["two answers", { ...hi, n: 2 }, "n"],
  ["an unknown format", { ...hi, response_format: { type: "xml" } }, "response_format.type"],
] as const) {
  test(`400 with the field: ${name}`, async (t) => {
    const error = await errorOf(t, await server().post(chat, body), 400);
    t.is(error.param, param);
    t.is(error.type, "invalid_request_error");
  });
}

for (const [name, body, param] of [
  ["nothing", {}, "model"],
  ["no text", { model: "m", input: [] }, "input"],
  ["an empty text", { model: "m", input: ["a", ""] }, "input"],
  ["tokens", { model: "m", input: [[1, 2]] }, "input"],
  ["1,025 numbers", { model: "m", input: "a", dimensions: 1_025 }, "dimensions"],
  ["another encoding", { model: "m", input: "a", encoding_format: "hex" }, "encoding_format"],
] as const) {
  test(`400 with the field, embeddings: ${name}`, async (t) => {
    const error = await errorOf(t, await server().post("/v1/embeddings", body), 400);
    t.true(error.param?.startsWith(param), String(error.param));
  });
}

test("a model that is not here is 404 and told what is", async (t) => {
  const error = await errorOf(t, await server().post(chat, { ...hi, model: "gpt-5" }), 404);
  t.is(error.code, "model_not_found");
  t.regex(error.message, /there is smollm2-135m-instruct/);
});

test("an unknown address is 404, no JSON 400, a body over the limit 413", async (t) => {
  await errorOf(t, await fetch(`${server().url}/v1/files`), 404);
  await errorOf(t, await fetch(`${server().url}${chat}`), 404);
  await errorOf(t, await server().post(chat, "{"), 400);
  await errorOf(
    t,
    await server().post(chat, { ...hi, messages: [{ role: "user", content: "x".repeat(20_000) }] }),
    413,
  );
});

test("with a key only those who have it are answered", async (t) => {
  const one = await startServer({ ESCRIBA_INFERENCE_API_KEY: "secret" });
  t.teardown(() => one.close());
  for (const authorization of [undefined, "Bearer wrong", "secret"]) {
    const response = await one.post(chat, hi, { headers: authorization ? { authorization } : {} });
    t.is((await errorOf(t, response, 401)).code, "invalid_api_key");
  }
  t.is((await one.chat(hi, { headers: { authorization: "Bearer secret" } })).object, "chat.completion");
  t.is((await fetch(`${one.url}/health`)).status, 200);
});

test("without its models the server runs, and says what to do", async (t) => {
  const empty = await mkdtemp(join(tmpdir(), "escriba-no-models-"));
  t.teardown(() => rm(empty, { recursive: true }));
  const one = await startServer({ ESCRIBA_MODELS_DIR: empty, ESCRIBA_OFFLINE: "true" });
  t.teardown(() => one.close());
  t.is((await fetch(`${one.url}/health`)).status, 503);
  for (const [path, body] of [
    [chat, hi],
    ["/v1/embeddings", { model: "all-minilm-l6-v2", input: "a" }],
  ] as const) {
    const response = await one.post(path, body);
    t.is(response.headers.get("retry-after"), "60");
    const error = await errorOf(t, response, 503);
    t.is(error.code, "model_unavailable");
    t.regex(error.message, /npm run models -- fetch/);
  }
});

test("a GGUF file of one's own is served under its name; one that is none is said to be none", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "escriba-gguf-"));
  t.teardown(() => rm(directory, { recursive: true }));
  const path = join(directory, "My-Model.Q4_K_M.gguf");
  await writeFile(path, "not a model");
  const one = await startServer({ ESCRIBA_INFERENCE_GGUF: path });
  t.teardown(() => one.close());
  t.is(chatModelName(one.settings), "My-Model.Q4_K_M");
  const error = await errorOf(t, await one.post(chat, { ...hi, model: "My-Model.Q4_K_M" }), 503);
  t.is(error.code, "model_unavailable");
  t.regex(error.message, /cannot be loaded/);
});

test("a platform without a binary is known before anything is loaded", (t) => {
  const all = () => true;
  const none = () => false;
  t.is(missingBinary(), undefined, "this machine has one");
  t.is(missingBinary("linux-x64", all), undefined);
  t.regex(missingBinary("linux-x64", none) ?? "", /is not installed/);
  t.regex(missingBinary("sunos-x64", all) ?? "", /has no binary for sunos-x64/);
});

test("one core stays free unless a number is set, and a setting that is wrong is named", (t) => {
  const settings = readConfig({});
  t.deepEqual(
    [1, 2, 4, 64].map((cores) => threadsOf(settings, cores)),
    [1, 1, 3, 4],
  );
  t.is(threadsOf(readConfig({ ESCRIBA_INFERENCE_THREADS: "8" }), 2), 8);
  t.throws(() => readConfig({ ESCRIBA_INFERENCE_CHATS: "0" }), { instanceOf: SettingsError, message: /CHATS/ });
});
