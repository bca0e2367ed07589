import test from "ava";
import * as fc from "fast-check";
import { jsonLines } from "../../../operator/kubernetes/json-lines.ts";

async function read(chunks: Uint8Array[]): Promise<unknown[]> {
  const result: unknown[] = [];
  async function* stream() {
    yield* chunks;
  }
  for await (const line of jsonLines(stream())) result.push(line);
  return result;
}

test("objects come out as they went in, wherever the stream is cut", async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue()), fc.array(fc.nat(200)), async (values, cuts) => {
      const bytes = Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(""));
      const places = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
      const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
      t.deepEqual(await read(chunks), JSON.parse(JSON.stringify(values)));
    }),
  );
});

test("a line that is cut short is an error, not silence", async (t) => {
  await t.throwsAsync(read([Buffer.from('{"type":"ADDED"}\n{"type":"MODI')]), { instanceOf: SyntaxError });
});
