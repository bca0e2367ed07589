import test from "ava";
import { isAlive } from "../../process/alive.ts";
import { errorOf, events, serverForFile, startServer, until } from "./server.ts";

/** One chat at a time, one more may wait, and a window that a story fills. */
const server = serverForFile(test, {
  ESCRIBA_INFERENCE_CHATS: "1",
  ESCRIBA_INFERENCE_QUEUE: "1",
  ESCRIBA_INFERENCE_WINDOW: "256",
});
const CHAT = "/v1/chat/completions";
const model = "smollm2-135m-instruct";
/** Goes on for thousands of tokens: a list of nine hundred ones. */
const endless = {
  model,
  messages: [{ role: "user", content: "Go on" }],
  response_format: {
    type: "json_schema",
    json_schema: { schema: { type: "array", minItems: 900, items: { const: 1 } } },
  },
  temperature: 0,
};
const short = { messages: [{ role: "user", content: "Hi" }], max_tokens: 2 };
const running = () => server().metric("escriba_inference_running", { kind: "chat" });
const waiting = () => server().metric("escriba_inference_queue_depth", { kind: "chat" });

test.serial("a prompt over the window is 400 context_length_exceeded and says how long it is", async (t) => {
  const response = await server().post(CHAT, {
    model,
    messages: [{ role: "user", content: "word ".repeat(2_000) }],
    stream: true,
  });
  const error = await errorOf(t, response, 400);
  t.is(error.code, "context_length_exceeded");
  t.is(error.param, "messages");
  t.is(error.type, "invalid_request_error");
  t.regex(error.message, /are 2\d\d\d tokens and the model's window is 256/);
});

test.serial("max_tokens is lowered to what the prompt leaves of the window", async (t) => {
  const { usage, choices } = await server().chat({ ...endless, max_tokens: 32_000 });
  t.is(usage.total_tokens, 256);
  t.is(choices[0]?.finish_reason, "length");
});

test.serial("a full queue is 503 with Retry-After; who waits gets the slot when it is free", async (t) => {
  const first = new AbortController();
  const ended = t.throwsAsync(server().post(CHAT, endless, { signal: first.signal }));
  await until(async () => (await running()) === 1);
  const waits = server().chat(short);
  await until(async () => (await waiting()) === 1);

  const refused = await server().post(CHAT, { model, ...short });
  t.true(Number(refused.headers.get("retry-after")) >= 1);
  t.is((await errorOf(t, refused, 503)).code, "queue_full");

  first.abort();
  await ended;
  t.true((await waits).usage.completion_tokens <= 2);
  t.is(await server().metric("escriba_inference_requests_total", { kind: "chat", status: "503" }), 1);
});

test.serial("a client that leaves a stream ends its generation and frees the slot", async (t) => {
  const left = await server().metric("escriba_inference_requests_total", { kind: "chat", status: "499" });
  const abort = new AbortController();
  const response = await server().post(CHAT, { ...endless, stream: true }, { signal: abort.signal });
  const reader = response.body?.getReader();
  await reader?.read();
  t.is(await running(), 1);
  abort.abort();
  await until(async () => (await running()) === 0);
  t.is(await server().metric("escriba_inference_requests_total", { kind: "chat", status: "499" }), left + 1);
  t.true((await server().chat(short)).usage.completion_tokens <= 2);
});

test.serial("a client that leaves the queue is forgotten", async (t) => {
  const [first, second] = [new AbortController(), new AbortController()];
  const calls = [first, second].map(({ signal }) => server().post(CHAT, endless, { signal }));
  const ended = Promise.allSettled(calls);
  await until(async () => (await running()) === 1 && (await waiting()) === 1);
  for (const one of [first, second]) one.abort();
  await ended;
  await until(async () => (await running()) === 0);
  t.is(await waiting(), 0);
});

test.serial(
  "a chat process that is killed answers 503, or ends its stream with an error; the next chat works",
  async (t) => {
    const one = await startServer({ ESCRIBA_INFERENCE_CHATS: "2" });
    t.teardown(() => one.close());
    const stream = await one.post(CHAT, { ...endless, stream: true });
    const whole = one.post(CHAT, endless);
    await until(async () => (await one.metric("escriba_inference_running", { kind: "chat" })) === 2);
    process.kill(one.chatPid() as number, "SIGKILL");
    t.is((await errorOf(t, await whole, 503)).code, "engine_died");
    const data = await events(stream);
    t.is(data.pop(), "[DONE]");
    t.is(JSON.parse(data.pop() ?? "").error.code, "engine_died");
    t.false(
      data.some((text) => /"finish_reason":"/.test(text)),
      "no finish is made up",
    );
    t.true((await one.chat(short)).usage.completion_tokens <= 2);
  },
);

test.serial("an idle model leaves the memory, and comes back when it is asked", async (t) => {
  const one = await startServer({ ESCRIBA_INFERENCE_IDLE_SECONDS: "1" });
  t.teardown(() => one.close());
  const resident = (kind: string) => one.metric("escriba_inference_model_resident_bytes", { kind });
  await one.chat(short);
  const pid = one.chatPid() as number;
  await until(async () => one.chatPid() === undefined && (await resident("chat")) === 0);
  await until(() => !isAlive(pid));
  t.true((await one.chat(short)).usage.completion_tokens <= 2);
});

test.serial("a stopping server refuses new requests and finishes the running ones", async (t) => {
  const one = await startServer();
  const answer = one.chat({ ...short, max_tokens: 60, messages: [{ role: "user", content: "Tell me a story." }] });
  await until(async () => (await one.metric("escriba_inference_running", { kind: "chat" })) === 1);
  const closed = one.close();
  t.true((await answer).usage.completion_tokens > 0);
  await closed;
  await t.throwsAsync(fetch(`${one.url}/health`));
});

test.serial("a stopping server cuts what outlives its grace", async (t) => {
  const one = await startServer({ ESCRIBA_GRACE_SECONDS: "0.2" });
  const answer = one.post(CHAT, { ...endless, model });
  await until(async () => (await one.metric("escriba_inference_running", { kind: "chat" })) === 1);
  await one.close();
  t.is((await errorOf(t, await answer, 503)).code, "stopping");
});
