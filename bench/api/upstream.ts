import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * An OpenAI-compatible upstream whose time is known, for gateways to be measured in front of: model `steady` answers 32
 * tokens after 200 ms, model `burst` sends 2,000 chunks as fast as the connection takes them. Both with and without
 * `stream`. Says its base URL over the channel and ends with it.
 */
const STEADY = { tokens: 32, waitMs: 200 };
const BURST = { tokens: 2_000, waitMs: 0 };

const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({
    id: "chatcmpl-upstream",
    object: "chat.completion.chunk",
    created: 1_700_000_000,
    model: "upstream",
    choices: [{ index: 0, delta, finish_reason: finish }],
  })}\n\n`;
const TOKEN = chunk({ content: " word" });
const FIRST = chunk({ role: "assistant", content: "" });
const LAST = chunk({}, "stop");

const server = createServer((request, response) => {
  let text = "";
  request.setEncoding("utf8").on("data", (data: string) => {
    text += data;
  });
  request.on("end", () => {
    if (request.method !== "POST") return response.writeHead(404).end();
    const body = JSON.parse(text) as { model: string; stream?: boolean };
    const { tokens, waitMs } = body.model === "burst" ? BURST : STEADY;
    const usage = { prompt_tokens: 20, completion_tokens: tokens, total_tokens: tokens + 20 };
    void sleep(waitMs).then(() => (body.stream ? stream(response, tokens, usage) : answer(response, tokens, usage)));
  });
});
server.keepAliveTimeout = 120_000;

async function stream(response: ServerResponse, tokens: number, usage: object): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(FIRST);
  for (let token = 0; token < tokens; token++) {
    if (!response.write(TOKEN)) {
      await Promise.race(["drain", "close"].map((event) => new Promise((resolve) => response.once(event, resolve))));
    }
    if (response.destroyed) return;
  }
  response.write(LAST);
  response.write(`data: ${JSON.stringify({ id: "chatcmpl-upstream", choices: [], usage })}\n\n`);
  response.end("data: [DONE]\n\n");
}

function answer(response: ServerResponse, tokens: number, usage: object): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(
    JSON.stringify({
      id: "chatcmpl-upstream",
      object: "chat.completion",
      created: 1_700_000_000,
      model: "upstream",
      choices: [{ index: 0, message: { role: "assistant", content: " word".repeat(tokens) }, finish_reason: "stop" }],
      usage,
    }),
  );
}

server.listen(0, "127.0.0.1", () => {
  process.send?.({ ready: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` } });
});
process.once("disconnect", () => process.exit(0));
