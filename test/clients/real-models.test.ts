import test from "ava";
import OpenAI, { BadRequestError } from "openai";
import { CHAT_MODEL, EMBEDDING_MODEL, readConfig } from "../../inference/config.ts";
import { type Inference, startInference } from "../../inference/server.ts";
import { createLog } from "../../process/log.ts";
import { type Harness, startHarness, type Tenant } from "../api/harness.ts";
import { type PythonClient, startPythonClient } from "./service.ts";

/** Nothing here is a double: the clients, the API, the database, the inference server and its models. */
let inference: Inference;
let harness: Harness;
let tenant: Tenant;
let baseUrl: string;
let client: OpenAI;
test.before(async () => {
  inference = await startInference(readConfig({ ...process.env, ESCRIBA_INFERENCE_PORT: "0" }), {
    log: createLog("inference", "silent"),
  });
  await inference.fetched;
  const url = `${inference.url}/v1`;
  const chat = { url, model: CHAT_MODEL, context_window: 8_192 };
  const upstreams = { "service-llm-1-small": chat, "service-embed-1": { url, model: EMBEDDING_MODEL } };
  harness = await startHarness({ ESCRIBA_UPSTREAMS: JSON.stringify(upstreams) });
  baseUrl = `${harness.api.url}/v1`;
  tenant = await harness.tenant();
  client = new OpenAI({ baseURL: baseUrl, apiKey: tenant.key });
});
test.after.always(async () => {
  await harness?.stop();
  await inference?.close();
});

const question = {
  model: "service-llm-1-small",
  messages: [{ role: "user" as const, content: "Say hello." }],
  max_tokens: 12,
  temperature: 0,
};
const balance = async () => (await tenant.call("GET", "/v1/balance")).body.balance_eur;

test.serial("chat: an answer, its tokens counted by the model and charged", async (t) => {
  const before = await balance();
  const { choices, usage } = await client.chat.completions.create(question);
  t.truthy(choices[0]?.message.content);
  t.true((usage?.prompt_tokens ?? 0) > 2);
  t.true((usage?.completion_tokens ?? 13) <= 12);
  const price = ((usage?.prompt_tokens ?? 0) * 0.65 + (usage?.completion_tokens ?? 0) * 3.75) / 1_000_000;
  t.true(Math.abs(before - (await balance()) - price) < 0.000_001);
});

test.serial("streaming chat: the same words as the whole answer, piece by piece", async (t) => {
  const whole = await client.chat.completions.create(question);
  const stream = client.chat.completions.stream(question);
  let pieces = 0;
  stream.on("content", () => {
    pieces += 1;
  });
  const completion = await stream.finalChatCompletion();
  t.is(completion.choices[0]?.message.content, whole.choices[0]?.message.content);
  t.is(completion.choices[0]?.finish_reason, whole.choices[0]?.finish_reason);
  t.true(pieces > 1);
});

test.serial("response_format json_object gives JSON", async (t) => {
  const { choices } = await client.chat.completions.create({
    ...question,
    max_tokens: 200,
    messages: [{ role: "user", content: 'Answer with {"greeting": "..."}.' }],
    response_format: { type: "json_object" },
  });
  if (choices[0]?.finish_reason === "stop") t.is(typeof JSON.parse(choices[0].message.content ?? ""), "object");
  else t.is(choices[0]?.finish_reason, "length");
});

test.serial("embeddings: 768 numbers, of length 1, nearer for what means the same", async (t) => {
  const input = ["I want to cancel my contract.", "Please end my subscription.", "The weather is nice in Cádiz."];
  const { data } = await client.embeddings.create({ model: "service-embed-1", input });
  const [cancel = [], end = [], weather = []] = data.map(({ embedding }) => embedding);
  const product = (a: number[], b: number[]) => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
  for (const vector of [cancel, end, weather]) {
    t.is(vector.length, 768);
    t.true(Math.abs(product(vector, vector) - 1) < 1e-5);
  }
  t.true(product(cancel, end) > product(cancel, weather) + 0.2);
});

test.serial("embeddings: more texts than one request to the server takes, each as if alone", async (t) => {
  const input = Array.from({ length: 70 }, (_, i) => `Call number ${i}`);
  const ask = (texts: string | string[]) => client.embeddings.create({ model: "service-embed-1", input: texts });
  const { data } = await ask(input);
  const alone = await ask(input[69] ?? "");
  t.deepEqual(data[69]?.embedding, alone.data[0]?.embedding);
});

test.serial("400 input: a text over 32,000 tokens is refused, and not billed", async (t) => {
  const before = await balance();
  const input = ["short", "word ".repeat(32_001)];
  const error = await t.throwsAsync(client.embeddings.create({ model: "service-embed-1", input }), {
    instanceOf: BadRequestError,
  });
  t.like(error, { code: "invalid_parameter", param: "input" });
  t.is(await balance(), before);
});

test.serial("Python: OpenAI's client", async (t) => {
  const python: PythonClient = await startPythonClient("openai_client.py", baseUrl);
  try {
    const chat = await python.ask({ do: "chat", key: tenant.key });
    t.truthy(chat.choices[0].message.content);
    const { chunks } = await python.ask({ do: "stream", key: tenant.key });
    const said = chunks.map(({ choices }: { choices: [{ delta: { content?: string } }] }) => choices[0].delta.content);
    t.is(said.join(""), chat.choices[0].message.content);
    t.is(chunks.at(-1).choices[0].finish_reason, "length");
    const { data } = await python.ask({ do: "embed", key: tenant.key, input: "hola" });
    t.is(data[0].embedding.length, 768);
  } finally {
    await python.stop();
  }
});

test.serial("Python: LangChain", async (t) => {
  const python: PythonClient = await startPythonClient("langchain_client.py", baseUrl);
  try {
    const { content, usage } = await python.ask({ do: "invoke", key: tenant.key, extra_body: { max_tokens: 8 } });
    t.truthy(content);
    t.true(usage.output_tokens <= 8);
    const { vectors } = await python.ask({ do: "embed_documents", key: tenant.key, texts: ["hola", "adiós"] });
    t.deepEqual([vectors[0].length, vectors[1].length], [768, 768]);
  } finally {
    await python.stop();
  }
});
