import { execFile } from "node:child_process";
import { mkdtemp, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import test from "ava";
import { embeddedConfig } from "../../embedded/config.ts";
import { EmbeddedInference } from "../../embedded/inference.ts";
import { defaultModelsDirectory } from "../../models/ensure.ts";
import { makeStateDir, type Service, startService } from "./service.ts";

/** Waits until the running script has said it on standard error. */
async function said(service: Service, what: RegExp): Promise<void> {
  while (!what.test(service.script.stderr)) {
    if (service.script.process.exitCode !== null) throw new Error(service.script.stderr);
    await sleep(100);
  }
}

test.serial("npm start answers chat and embeddings: through the API, and its printed curl lines work", async (t) => {
  const service = await startService(await makeStateDir());
  t.teardown(() => service.stop());
  await said(service, /Chat and embeddings answer now/);
  for (const model of ["service-llm-1-small", "service-llm-1-large"]) {
    const { status, body } = await service.call("POST", "/v1/chat/completions", {
      model,
      messages: [{ role: "user", content: "What is the capital of France?" }],
      max_tokens: 20,
      temperature: 0,
    });
    t.is(status, 200, JSON.stringify(body));
    const { choices, usage } = body as { choices: { message: { content: string } }[]; usage: { total_tokens: number } };
    t.regex(choices[0]?.message.content ?? "", /Paris/);
    t.true(usage.total_tokens > 0);
  }
  const lines = service.script.stdout.split("\n").filter((line) => line.startsWith("curl -s "));
  const answers = [];
  for (const line of lines) answers.push(JSON.parse((await promisify(execFile)("sh", ["-c", line])).stdout));
  t.deepEqual(
    answers.map(({ object }) => object),
    ["chat.completion", "list"],
  );
  t.is(answers[1].data[0].embedding.length, 768, "the default of the API");
});

test.serial("without the chat model the stack starts, says so loudly, and chat is 503", async (t) => {
  const real = process.env.ESCRIBA_MODELS_DIR || defaultModelsDirectory(process.env);
  const some = await mkdtemp(join(tmpdir(), "escriba-some-models-"));
  for (const name of ["temporal-cli", "silero-vad", "whisper-base", "all-minilm-l6-v2"])
    await symlink(join(real, name), join(some, name));
  const service = await startService(await makeStateDir(), { ESCRIBA_MODELS_DIR: some, ESCRIBA_OFFLINE: "true" });
  t.teardown(() => service.stop());
  await said(service, /CHAT IS NOT AVAILABLE, everything else works: smollm2-135m-instruct/);
  const chat = await service.call("POST", "/v1/chat/completions", {
    model: "service-llm-1-small",
    messages: [{ role: "user", content: "Hi" }],
  });
  t.is(chat.status, 503);
  t.is((chat.body as { error: { code: string } }).error.code, "upstream_unavailable");
  for (;;) {
    // The server of embeddings is started after the rest.
    const { status } = await service.call("POST", "/v1/embeddings", { model: "service-embed-1", input: "hola" });
    if (status === 200) break;
    await sleep(200);
  }
  t.is((await service.call("GET", "/v1/me")).status, 200);
});

test("a server of one's own answers for its model id; with all three named there is no other", async (t) => {
  const own = { url: "http://vllm:8000/v1", model: "qwen" };
  const inference = (upstreams: object) =>
    new EmbeddedInference(embeddedConfig({ ESCRIBA_UPSTREAMS: JSON.stringify(upstreams) }), {
      port: 1234,
      fetch: undefined,
      report: (line) => t.fail(line),
      role: () => {
        t.fail("nothing is started");
        throw new Error("started");
      },
    });
  const { upstreams } = inference({ "service-llm-1-large": own });
  t.deepEqual(upstreams["service-llm-1-large"], own);
  t.is(upstreams["service-llm-1-small"]?.url, "http://127.0.0.1:1234/v1");
  const none = inference({ "service-llm-1-large": own, "service-llm-1-small": own, "service-embed-1": own });
  none.start();
  t.false(await none.started);
  await none.stop(0);
});
