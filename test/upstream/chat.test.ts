import { once } from "node:events";
import anyTest, { type TestFn } from "ava";
import { UpstreamBroken } from "../../upstream/errors.ts";
import { begins, chunk, DONE, type Script, says, sent, stream, usage } from "./double.ts";
import { all, startUpstream, textOf, type UpstreamHarness } from "./harness.ts";

const test = anyTest as TestFn<UpstreamHarness>;
test.beforeEach(async (t) => {
  t.context = await startUpstream({ api_key: "secret" });
});
test.afterEach.always((t) => t.context.stop());

/** Sends these bytes, and ends there unless told otherwise. */
const sends =
  (...parts: (string | Uint8Array)[]): Script =>
  async ({ response }) => {
    stream(response);
    for (const part of parts) await sent(response, part);
    response.end();
  };

test("the upstream is asked for a stream with usage, under its own name for the model, with its key", async (t) => {
  const { double, chat } = t.context;
  await all(await chat({ request: { temperature: 0.3, json: true, reasoningEffort: "low", maxTokens: 9 } }));
  const [{ path, headers, body } = {}] = double.seen;
  t.is(path, "/v1/chat/completions");
  t.is(headers?.authorization, "Bearer secret");
  t.deepEqual(body, {
    ...{ model: "theirs", messages: [{ role: "user", content: "Hola" }], max_tokens: 9, temperature: 0.3 },
    ...{ reasoning_effort: "low", response_format: { type: "json_object" } },
    ...{ stream: true, stream_options: { include_usage: true } },
  });
});

test("chunks carry content, finish_reason and usage; everything else of the upstream's is dropped", async (t) => {
  const { double, chat } = t.context;
  double.answer(
    sends(
      chunk({ role: "assistant", content: null, reasoning_content: "let me think" }),
      chunk({ content: "uno", tool_calls: [{ index: 0, function: { name: "f" } }] }),
      chunk({}, null, { choices: [{ index: 1, delta: { content: "another choice" }, finish_reason: "stop" }] }),
      chunk({}, "length"),
      usage(7, 2),
      DONE,
    ),
  );
  t.deepEqual(await all(await chat()), [
    { content: "", finishReason: null, usage: null },
    { content: "uno", finishReason: null, usage: null },
    { content: "", finishReason: null, usage: null },
    { content: "", finishReason: "length", usage: null },
    { content: "", finishReason: null, usage: { promptTokens: 7, completionTokens: 2 } },
  ]);
});

test("bytes may be cut anywhere, lines may end in CRLF, comments and other events are no chunks", async (t) => {
  const { double, chat } = t.context;
  const bytes = Buffer.from(
    `: hello\r\n\r\n${chunk({ content: "ñandú 🙂" }).replaceAll("\n", "\r\n")}retry: 5\n\n${chunk({}, "stop")}${DONE}`,
  );
  double.answer(sends(...Array.from(bytes, (byte) => Uint8Array.of(byte))));
  t.is(textOf(await all(await chat())), "ñandú 🙂");
});

test("calls after each other share a connection, calls at once have one each", async (t) => {
  const { double, chat } = t.context;
  const port = ({ response }: (typeof double.seen)[number]) => response.socket?.remotePort;
  let ports: unknown[] = [];
  const says1: Script = (seen) => {
    ports.push(port(seen));
    return says("uno")(seen);
  };
  double.answer(says1);
  for (let i = 0; i < 3; i += 1) {
    await all(await chat());
    await double.seen.at(-1)?.closed;
    await new Promise(setImmediate);
  }
  t.is(new Set(ports).size, 1);
  ports = [];
  await Promise.all([1, 2, 3].map(async () => all(await chat())));
  t.is(new Set(ports).size, 3);
});

for (const [when, wait] of [
  ["before the first byte", async () => undefined],
  ["between chunks", async (h: UpstreamHarness) => h.double.answer(begins("uno"))],
] as const) {
  test(`an abort ${when} closes the upstream's connection at once, with the reason of the signal`, async (t) => {
    const { double, chat, metric } = t.context;
    double.answer(() => undefined);
    await wait(t.context);
    const caller = new AbortController();
    const read = (async () => all(await chat({ signal: caller.signal })))();
    const { closed } = await double.arrived(1);
    if (when === "between chunks") await t.context.clock.set((ms) => ms === 120_000);
    caller.abort(new Error("the client left"));
    await t.throwsAsync(read, { message: "the client left" });
    await closed;
    t.is(double.seen.length, 1);
    t.is(await metric("escriba_upstream_requests_total", { outcome: "cut" }), 1);
    t.deepEqual(t.context.clock.pending, []);
  });
}

test("leaving the loop closes the upstream's connection at once", async (t) => {
  const { double, chat } = t.context;
  double.answer(begins("uno"));
  for await (const { content } of await chat()) {
    t.is(content, "uno");
    break;
  }
  await (await double.arrived(1)).closed;
  t.deepEqual(t.context.clock.pending, []);
});

test("120 s of silence between chunks end the stream; slowness in total, and of the reader, does not", async (t) => {
  const { double, chat, clock, metric } = t.context;
  double.answer(begins("uno"));
  const answer = await chat();
  const { response, closed } = await double.arrived(1);
  const words: string[] = [];
  await t.throwsAsync(
    async () => {
      for await (const { content } of answer) {
        // The reader takes an hour, and nobody minds.
        t.deepEqual(clock.pending, []);
        clock.advance(3_600_000);
        words.push(content);
        void clock
          .set((ms) => ms === 120_000)
          .then(() => {
            clock.advance(words.length === 5 ? 120_000 : 119_999);
            if (words.length < 5) response.write(chunk({ content: "más" }));
          });
      }
    },
    { instanceOf: UpstreamBroken, message: /silent/ },
  );
  t.is(words.length, 5);
  await closed;
  t.is(await metric("escriba_upstream_requests_total", { outcome: "broken" }), 1);
});

test("comments keep nothing alive: 120 s without a chunk are silence", async (t) => {
  const { double, chat, clock } = t.context;
  double.answer(begins("uno"));
  const read = all(await chat());
  const { response } = await double.arrived(1);
  await clock.set((ms) => ms === 120_000);
  clock.advance(119_999);
  response.write(": still here\n\n");
  await new Promise((resolve) => setTimeout(resolve, 50));
  clock.advance(1);
  await t.throwsAsync(read, { message: /silent/ });
});

for (const [what, parts, message] of [
  ["the connection closes", null, /network/],
  ["the body ends without a finish_reason", [], /closed/],
  ["[DONE] comes without a finish_reason", [DONE], /closed/],
  ["something that is not JSON comes", ['data: {"choices":\n\n'], /not_an_answer/],
  ["something that is no object comes", ["data: 7\n\n"], /not_an_answer/],
  ["an error object comes", [`data: {"error":{"message":"CUDA out of memory","code":500}}\n\n`], /server_error/],
  ["an event named error comes", [`event: error\ndata: {"message":"no"}\n\n`], /server_error/],
  ["an older vLLM's error comes", [`data: {"object":"error","message":"no"}\n\n`], /server_error/],
  ["the generation is given up", [chunk({}, "abort")], /server_error/],
  ["a line has no end", [`data: ${"x".repeat(1024 * 1024)}`, "y"], /not_an_answer/],
] as const) {
  test(`broken in mid-stream: ${what}; the chunks before are delivered`, async (t) => {
    const { double, chat } = t.context;
    double.answer(async ({ response }) => {
      stream(response);
      await sent(response, chunk({ content: "uno " }) + chunk({ content: "dos" }));
      if (parts === null) response.socket?.destroy();
      else for (const part of parts) response.write(part);
      if (parts?.length === 0) response.end();
    });
    const words: string[] = [];
    const error = await t.throwsAsync(
      async () => {
        for await (const { content } of await chat()) words.push(content);
      },
      { instanceOf: UpstreamBroken },
    );
    t.regex(error?.message ?? "", message);
    t.deepEqual(words, ["uno ", "dos"]);
    await (await double.arrived(1)).closed;
    t.is(double.seen.length, 1, "nothing is tried again after the first byte");
  });
}

test("an answer over the size limit is broken off", async (t) => {
  const small = await startUpstream({}, { maxAnswerBytes: 10_000 });
  small.double.answer(({ response }) => {
    stream(response);
    const write = () =>
      void (!response.destroyed && response.write(chunk({ content: "x".repeat(500) })) && setImmediate(write));
    write();
  });
  await t.throwsAsync(async () => all(await small.chat()), { instanceOf: UpstreamBroken, message: /not_an_answer/ });
  await small.double.seen[0]?.closed;
  await small.stop();
});

test("after finish_reason a text is whole: without [DONE], without usage, broken off or silent", async (t) => {
  const { double, chat, clock } = t.context;
  const whole = chunk({ content: "uno" }) + chunk({}, "stop");
  const ends: Script[] = [
    ({ response }) => stream(response).end(whole),
    ({ response }) => stream(response).end(whole + DONE),
    ({ response }) => stream(response).write(whole, () => setImmediate(() => response.socket?.destroy())),
    ({ response }) => stream(response).write(whole),
  ];
  for (const end of ends) {
    double.answer(end);
    const read = all(await chat());
    if (end === ends.at(-1)) {
      await clock.set((ms) => ms === 10_000);
      clock.advance(10_000);
    }
    t.is((await read).at(-1)?.finishReason, "stop");
  }
});

test("a stream that is not read holds its upstream back, and loses nothing", async (t) => {
  const { double, chat } = t.context;
  const word = "x".repeat(65_000);
  let written = 0;
  double.answer(async ({ response }) => {
    stream(response);
    for (; written < 1_000 && !response.destroyed; written += 1) {
      if (!response.write(chunk({ content: word }))) await once(response, "drain");
    }
    response.end(chunk({}, "stop") + DONE);
  });
  const answer = await chat();
  let before = -1;
  while (before !== written) {
    before = written;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  t.true(written < 500, `${written} of 1000 chunks left a server whose reader does not read`);
  let read = 0;
  for await (const { content } of answer) read += content.length;
  t.is(read, 1_000 * word.length);
});
