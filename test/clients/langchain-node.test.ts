import { ChatOpenAI, OpenAIEmbeddings } from "@langchain/openai";
import test from "ava";
import * as z from "zod";
import type { Tenant } from "../api/harness.ts";
import { vectorOf } from "../upstream/embeds.ts";
import { type Service, startService } from "./service.ts";

let service: Service;
let tenant: Tenant;
test.before(async () => {
  service = await startService('{"reason": "cancelar"}');
  tenant = await service.harness.tenant();
});
test.after.always(() => service?.stop());
test.beforeEach(() => {
  service.upstream.seen.length = 0;
});

const model = (more: object = {}) =>
  new ChatOpenAI({
    model: "service-llm-1-small",
    apiKey: tenant.key,
    configuration: { baseURL: service.baseUrl },
    ...more,
  });
const embeddings = () =>
  new OpenAIEmbeddings({
    model: "service-embed-1",
    apiKey: tenant.key,
    batchSize: 256,
    configuration: { baseURL: service.baseUrl },
  });

test.serial("ChatOpenAI.invoke", async (t) => {
  const message = await model().invoke("Di hola.");
  t.is(message.content, '{"reason": "cancelar"}');
  t.like(message.usage_metadata, { input_tokens: 7, output_tokens: 2, total_tokens: 9 });
});

test.serial("ChatOpenAI.stream", async (t) => {
  let content = "";
  for await (const chunk of await model().stream("Di hola.")) content += chunk.content;
  t.is(content, '{"reason": "cancelar"}');
});

test.serial("structured output in JSON mode", async (t) => {
  const reader = model().withStructuredOutput(z.object({ reason: z.string() }), { method: "jsonMode" });
  t.deepEqual(await reader.invoke("¿Por qué llama? Quiere cancelar."), { reason: "cancelar" });
  t.deepEqual(service.upstream.seen[0]?.body.response_format, { type: "json_object" });
});

test.serial("maxTokens limits the answer", async (t) => {
  await model({ maxTokens: 5 }).invoke("Di hola.");
  t.is(service.upstream.seen[0]?.body.max_tokens, 5);
});

test.serial("OpenAIEmbeddings: more texts than one request takes", async (t) => {
  const texts = Array.from({ length: 300 }, (_, i) => `texto ${i}`);
  t.deepEqual(
    (await embeddings().embedDocuments(texts)).map((vector) => [...vector]),
    texts.map((text) => vectorOf(text)),
  );
  t.deepEqual([...(await embeddings().embedQuery("hola"))], vectorOf("hola"));
});

test.serial("errors carry status and code", async (t) => {
  const error = await t.throwsAsync(model({ model: "gpt-4o", maxRetries: 0 }).invoke("Di hola."));
  t.like(error, { status: 400, code: "invalid_model" });
});
