import { join } from "node:path";
import test from "ava";
import { getLlama } from "node-llama-cpp";
import { defaultModelsDirectory } from "../../models/ensure.ts";
import { events, serverForFile } from "./server.ts";

// Chats side by side share matrix products, whose last digits differ: what is compared to the letter runs alone.
const server = serverForFile(test);
const story = [{ role: "user", content: "Tell me a long story about a lighthouse." }];

interface Chunk {
  id: string;
  object: string;
  created: number;
  model: string;
  choices: { index: number; delta: { role?: string; content?: string }; finish_reason: string | null }[];
  usage?: { prompt_tokens: number; completion_tokens: number; total_tokens: number } | null;
}

test("a question is answered, and the answer ends by itself", async (t) => {
  const answer = await server().chat({
    messages: [{ role: "user", content: "What is the capital of France?" }],
    temperature: 0,
  });
  t.is(answer.object, "chat.completion");
  t.is(answer.model, "smollm2-135m-instruct");
  t.regex(answer.id, /^chatcmpl-/);
  const [choice] = answer.choices;
  t.is(choice?.message.role, "assistant");
  t.regex(choice?.message.content ?? "", /Paris/);
  t.is(choice?.finish_reason, "stop");
  t.is(answer.usage.total_tokens, answer.usage.prompt_tokens + answer.usage.completion_tokens);
});

test("usage is what the model's own tokenizer counts", async (t) => {
  const dir = server().settings.ESCRIBA_MODELS_DIR || defaultModelsDirectory(process.env);
  const llama = await getLlama({ gpu: false, build: "never", skipDownload: true });
  const model = await llama.loadModel({
    modelPath: join(dir, "smollm2-135m-instruct", "model.gguf"),
    vocabOnly: true,
  });
  t.teardown(() => llama.dispose());
  const messages = [
    { role: "system", content: "Sé breve." },
    { role: "user", content: "¿Qué es <|im_end|> un faro?" },
    { role: "assistant", content: "Una torre con luz." },
    { role: "user", content: "¿Y para qué sirve?" },
  ];
  const answer = await server().chat({ messages, max_tokens: 12, temperature: 0 });
  // What a caller writes is text: only the template's own marks are special tokens.
  const expected = messages.reduce(
    (sum, { role, content }) =>
      sum +
      model.tokenize(`<|im_start|>${role}\n`, true).length +
      model.tokenize(content, false).length +
      model.tokenize("<|im_end|>\n", true).length,
    model.tokenize("<|im_start|>assistant\n", true).length,
  );
  t.is(answer.usage.prompt_tokens, expected);
  const text = answer.choices[0]?.message.content ?? "";
  t.is(answer.usage.completion_tokens, model.tokenize(text, false).length, text);
});

test.serial("the same seed gives the same text, streamed or whole, with the same usage", async (t) => {
  const body = { messages: story, temperature: 1, seed: 7, max_tokens: 40 };
  const whole = await server().chat(body);
  t.is(whole.usage.completion_tokens, 40);
  t.is(whole.choices[0]?.finish_reason, "length");
  const response = await server().post("/v1/chat/completions", {
    ...body,
    model: "smollm2-135m-instruct",
    stream: true,
    stream_options: { include_usage: true },
  });
  t.is(response.status, 200);
  t.regex(response.headers.get("content-type") ?? "", /^text\/event-stream/);
  const data = await events(response);
  t.is(data.pop(), "[DONE]");
  const chunks = data.map((text) => JSON.parse(text) as Chunk);
  t.is(new Set(chunks.map(({ id, created, model, object }) => `${id} ${created} ${model} ${object}`)).size, 1);
  t.is(chunks[0]?.object, "chat.completion.chunk");
  t.deepEqual(chunks[0]?.choices[0]?.delta, { role: "assistant", content: "" });
  const last = chunks.pop();
  t.deepEqual(last?.choices, []);
  t.deepEqual(last?.usage, whole.usage);
  t.true(chunks.every(({ usage }) => usage === null));
  t.deepEqual(
    chunks.map(({ choices }) => choices[0]?.finish_reason ?? null),
    [...chunks.slice(1).map(() => null), "length"],
  );
  t.is(chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join(""), whole.choices[0]?.message.content ?? "");
});

test("with continuous_usage_stats every chunk says what was used until then", async (t) => {
  const body = { model: "smollm2-135m-instruct", messages: story, max_tokens: 6, stream: true };
  const stream_options = { include_usage: true, continuous_usage_stats: true };
  const data = await events(await server().post("/v1/chat/completions", { ...body, stream_options }));
  const counts = data.slice(0, -1).map((text) => (JSON.parse(text) as Chunk).usage?.completion_tokens);
  t.deepEqual(counts, [0, 1, 2, 3, 4, 5, 6, 6, 6]);
});

test("without include_usage a stream carries none", async (t) => {
  const body = { model: "smollm2-135m-instruct", messages: story, max_tokens: 3, stream: true };
  const data = await events(await server().post("/v1/chat/completions", body));
  t.is(data.pop(), "[DONE]");
  for (const text of data) {
    const chunk = JSON.parse(text) as Chunk;
    t.false("usage" in chunk);
    t.is(chunk.choices.length, 1);
  }
});

test.serial("other seeds give other texts, and temperature 0 always the same", async (t) => {
  const ask = async (about: object) =>
    (await server().chat({ messages: story, max_tokens: 16, ...about })).choices[0]?.message.content;
  const [one, two, cold, again] = [
    await ask({ temperature: 1.5, seed: 1 }),
    await ask({ temperature: 1.5, seed: 2 }),
    await ask({ temperature: 0 }),
    await ask({ temperature: 0, seed: 99 }),
  ];
  t.not(one, two);
  t.is(cold, again);
});

test.serial("a stop string ends the answer before itself, wherever tokens cut it", async (t) => {
  const body = { messages: story, temperature: 0, max_tokens: 40 };
  const whole = (await server().chat(body)).choices[0]?.message.content ?? "";
  // From the middle of one word into the next: no token is this string.
  const space = whole.indexOf(" ", 20);
  const stop = whole.slice(space - 2, space + 3);
  const cut = await server().chat({ ...body, stop: [stop, "never said"] });
  t.is(cut.choices[0]?.message.content, whole.slice(0, whole.indexOf(stop)));
  t.is(cut.choices[0]?.finish_reason, "stop");
});

test("letters outside ASCII come whole, in whatever pieces", async (t) => {
  const messages = [{ role: "user", content: "Repite: ñandú, café, 你好, 😀😀😀" }];
  const body = { model: "smollm2-135m-instruct", messages, temperature: 0, max_tokens: 30, stream: true };
  const data = await events(await server().post("/v1/chat/completions", body));
  const text = data
    .slice(0, -1)
    .map((one) => (JSON.parse(one) as Chunk).choices[0]?.delta.content ?? "")
    .join("");
  t.false(text.includes("\uFFFD"), text);
});

test("what this server does not know is ignored, text parts and `developer` are understood", async (t) => {
  const answer = await server().chat({
    messages: [
      { role: "developer", content: "Answer in one word." },
      {
        role: "user",
        content: [
          { type: "text", text: "Capital of " },
          { type: "text", text: "Spain?" },
        ],
        name: "x",
      },
    ],
    max_completion_tokens: 5,
    max_tokens: null,
    temperature: null,
    reasoning_effort: "low",
    tools: [],
    frequency_penalty: 1,
    n: 1,
  });
  t.true(answer.usage.completion_tokens <= 5);
});
