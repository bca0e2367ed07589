import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import test from "ava";
import { AudioTooLong } from "../../speech/decode/errors.ts";
import { prepareAudio } from "../../speech/prepare.ts";
import { FAILURES, type FailureCode } from "../../workflows/failures.ts";
import type { RunningWorker } from "../../workflows/worker.ts";
import { DoubleEngine, preparing } from "./doubles.ts";
import { type Stack, startStack } from "./stack.ts";

/** A host of recordings that may be reached, because its network is allowed; everything private besides may not. */
let stack: Stack;
let server: Server;
let worker: RunningWorker;
let host: string;

test.before(async () => {
  server = createServer((request, response) => {
    if (request.url === "/page") response.end("<!doctype html><title>No recording</title>");
    else if (request.url === "/large") response.writeHead(200, { "Content-Length": String(2 ** 31 + 1) }).write("RIFF");
    else if (request.url === "/metadata") response.writeHead(302, { Location: "http://169.254.169.254/latest" }).end();
    else if (request.url === "/elsewhere") response.writeHead(302, { Location: "/recording" }).end();
    else if (request.url === "/gone") response.writeHead(404).end();
    else response.end(request.url === "/long" ? "ten hours and more" : "a recording");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  stack = await startStack();
  const prepare: typeof prepareAudio = async (options) => {
    const text = await readFile(options.source, "utf8");
    if (text === "ten hours and more") throw new AudioTooLong("more than ten hours");
    if (text === "a recording") return preparing(1, 1)(options);
    return prepareAudio(options);
  };
  worker = await stack.worker(
    { engine: new DoubleEngine(), prepareAudio: prepare },
    { ESCRIBA_AUDIO_URL_NETWORKS: "127.0.0.0/8" },
  );
});
test.after.always(async () => {
  await worker?.drain();
  await stack?.stop();
  server?.close();
});

async function transcribed(audioUrl: string) {
  const submitted = await stack.submit(Buffer.from("not this"), { source: { audioUrl } });
  return { row: await submitted.final(), submitted };
}

for (const [what, path, code] of [
  ["a page instead of a recording", "/page", "unsupported_audio_format"],
  ["more than 2 GB", "/large", "file_too_large"],
  ["a redirect to a metadata address", "/metadata", "audio_unreachable"],
  ["404", "/gone", "audio_unreachable"],
  ["more than ten hours", "/long", "audio_duration_exceeded"],
] as const satisfies [string, string, FailureCode][]) {
  test(`audio_url that leads to ${what}: failed with a plain message, not billed, never a 4xx after the 202`, async (t) => {
    const { row, submitted } = await transcribed(host + path);
    t.is(row?.status, "failed");
    t.is(row?.errorMessage, FAILURES[code].message);
    t.is((await submitted.balance()).spendable, "1.000000000");
    t.deepEqual(await submitted.events(), ["transcript.failed"]);
  });
}

for (const url of [
  "http://10.0.0.1/a.wav",
  "http://[::1]/a.wav",
  "http://169.254.169.254/a.wav",
  "http://[fd00::1]/",
]) {
  test(`audio_url of an address that is not public: ${url} fails and is not asked`, async (t) => {
    const { row } = await transcribed(url);
    t.is(row?.status, "failed");
    t.is(row?.errorMessage, FAILURES.audio_unreachable.message);
  });
}

test("audio_url is followed where it redirects, and billed by what was heard, not by the hour assumed", async (t) => {
  const { row, submitted } = await transcribed(`${host}/elsewhere`);
  t.is(row?.status, "completed");
  t.is(row?.assumedMs, 3_600_000);
  t.is(row?.billedMinutes, 1);
  t.is((await submitted.balance()).spendable, "0.993500000");
});
