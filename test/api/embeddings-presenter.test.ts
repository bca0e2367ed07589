import test from "ava";
import fc from "fast-check";
import { presentEmbeddings } from "../../api/presenters/embeddings.ts";
import { embeddingsResponse } from "../../api/schemas/embeddings.ts";

const present = async (vectors: number[][], encoding: "float" | "base64") =>
  embeddingsResponse.parse(
    JSON.parse(await presentEmbeddings({ model: "service-embed-1", vectors, promptTokens: 7, encoding })),
  );

test("the form of section 2.10, matched by index", async (t) => {
  t.deepEqual(await present([[0.5, -1], [0.25]], "float"), {
    object: "list",
    model: "service-embed-1",
    data: [
      { object: "embedding", index: 0, embedding: [0.5, -1] },
      { object: "embedding", index: 1, embedding: [0.25] },
    ],
    usage: { prompt_tokens: 7, total_tokens: 7 },
  });
});

test("float: the upstream's numbers come out to the last bit", async (t) => {
  const vectors = fc.array(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 }));
  await fc.assert(
    fc.asyncProperty(vectors, async (expected) => {
      const { data } = await present(expected, "float");
      // JSON has one zero.
      t.deepEqual(
        data.map(({ embedding }) => embedding),
        expected.map((vector) => vector.map((number) => number + 0)),
      );
    }),
  );
});

test("base64: 32-bit floats, little-endian, exact for what a model computes", async (t) => {
  const { data } = await present([[1, -2]], "base64");
  t.is(data[0]?.embedding, Buffer.from([0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0]).toString("base64"));
  const vectors = fc.array(fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 }));
  await fc.assert(
    fc.asyncProperty(vectors, async (expected) => {
      const { data } = await present(expected, "base64");
      const decoded = data.map(({ embedding }) => {
        const bytes = Buffer.from(embedding as string, "base64");
        return Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(i * 4));
      });
      t.deepEqual(decoded, expected);
    }),
  );
});

test("256 vectors of 768: others are answered in between", async (t) => {
  const vectors = Array.from({ length: 256 }, (_, i) => Array.from({ length: 768 }, (_, j) => Math.sin(i * 768 + j)));
  let turns = 0;
  let running = true;
  const count = () => {
    turns += 1;
    if (running) setImmediate(count);
  };
  setImmediate(count);
  const { data } = await present(vectors, "float");
  running = false;
  t.deepEqual(
    data.map(({ embedding }) => embedding),
    vectors,
  );
  t.true(turns >= 16);
});
