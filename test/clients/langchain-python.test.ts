import test from "ava";
import type { Tenant } from "../api/harness.ts";
import { vectorOf } from "../upstream/embeds.ts";
import { type PythonClient, type Service, startPythonClient, startService } from "./service.ts";

let service: Service;
let tenant: Tenant;
let python: PythonClient;
test.before(async () => {
  service = await startService('{"reason": "cancelar"}');
  tenant = await service.harness.tenant();
  python = await startPythonClient("langchain_client.py", service.baseUrl);
});
test.after.always(async () => {
  await python?.stop();
  await service?.stop();
});
test.beforeEach(() => {
  service.upstream.seen.length = 0;
});

const ask = (name: string, more: object = {}) => python.ask({ do: name, key: tenant.key, ...more });

test.serial("ChatOpenAI.invoke", async (t) => {
  t.deepEqual(await ask("invoke"), {
    content: '{"reason": "cancelar"}',
    finish_reason: "stop",
    usage: { input_tokens: 7, output_tokens: 2, total_tokens: 9, input_token_details: {}, output_token_details: {} },
  });
});

test.serial("ChatOpenAI.stream", async (t) => {
  const { count, ...rest } = await ask("stream");
  t.deepEqual(rest, { content: '{"reason": "cancelar"}', finish_reason: "stop" });
  t.true(count > 1);
});

test.serial("structured output in JSON mode", async (t) => {
  t.deepEqual(await ask("structured"), { reason: "cancelar" });
  t.deepEqual(service.upstream.seen[0]?.body.response_format, { type: "json_object" });
});

test.serial(
  "max_tokens is sent as max_completion_tokens, which is discarded; extra_body carries max_tokens",
  async (t) => {
    await ask("invoke", { max_tokens: 5 });
    await ask("invoke", { extra_body: { max_tokens: 5 } });
    t.deepEqual(
      service.upstream.seen.map(({ body }) => body.max_tokens),
      [4_096, 5],
    );
  },
);

test.serial("OpenAIEmbeddings: more texts than one request takes, and a query", async (t) => {
  const texts = Array.from({ length: 300 }, (_, i) => `texto ${i}`);
  t.deepEqual(
    (await ask("embed_documents", { texts })).vectors,
    texts.map((text) => vectorOf(text)),
  );
  t.deepEqual((await ask("embed_query", { text: "hola" })).vector, vectorOf("hola"));
});

test.serial("a model of its own number of dimensions", async (t) => {
  const { vectors } = await ask("embed_documents", { texts: ["hola"], dimensions: 256 });
  t.deepEqual(vectors, [vectorOf("hola", 256)]);
});
