import { setTimeout as sleep } from "node:timers/promises";
import test from "ava";
import { chunk, DONE, stream, usage } from "../upstream/double.ts";
import { endedBill, hello, openStream, startChatHarness } from "./chat-harness.ts";

/** What one stream offers: far more than all the buffers between a server and a reader hold (about 10 MB here). */
const CHUNKS = 600;
const TEXT = "x".repeat(60_000);

test("16 streams whose readers do not read hold their upstreams back, and memory is that of their buffers", async (t) => {
  const harness = await startChatHarness();
  const written: number[] = [];
  harness.double.answer(({ response }) => {
    const mine = written.push(0) - 1;
    stream(response);
    const write = () => {
      let more = true;
      for (; more && (written[mine] ?? 0) < CHUNKS; written[mine] = (written[mine] ?? 0) + 1) {
        more = response.write(chunk({ content: TEXT }));
      }
      if (more) response.end(chunk({}, "stop") + usage(7, CHUNKS) + DONE);
    };
    response.on("drain", write);
    write();
  });
  const before = process.memoryUsage().rss;
  const tenants = await Promise.all(Array.from({ length: 16 }, () => harness.tenant()));
  const streams = await Promise.all(tenants.map((tenant) => openStream(harness.api.url, tenant, hello())));
  const total = () => written.reduce((sum, chunks) => sum + chunks, 0);
  for (let last = -1; last !== total(); await sleep(300)) last = total();
  const offered = 16 * CHUNKS;
  t.true(total() < offered / 2, `${total()} of ${offered} chunks left servers whose readers do not read`);
  const grown = (process.memoryUsage().rss - before) / 1e6;
  t.log(`${total()} of ${offered} chunks written, ${Math.round(grown)} MB more`);
  // The server, the API and the readers are this one process: a stream's share of each buffer, and no more.
  t.true(grown < 600, `${grown} MB more`);

  // One of them reads on, and gets everything.
  const [first, ...others] = streams;
  let length = 0;
  let last = "";
  for await (const event of first?.events ?? []) {
    if (event !== "[DONE]") length += JSON.parse(event).choices[0].delta.content?.length ?? 0;
    last = event;
  }
  t.is(last, "[DONE]");
  t.is(length, CHUNKS * TEXT.length);
  for (const other of others) other.cut();
  const bills = await Promise.all(tenants.map((tenant) => endedBill(harness, tenant)));
  t.deepEqual(
    bills.map(({ status }) => status),
    Array(16).fill("charged"),
  );
  t.is(bills[0]?.completion, CHUNKS);
  t.true(bills.slice(1).every(({ estimated }) => estimated));
  await harness.stop();
});
