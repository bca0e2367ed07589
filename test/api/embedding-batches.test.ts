import test from "ava";
import fc from "fast-check";
import { batches, promptBound } from "../../api/routes/embeddings/batches.ts";

const WINDOW = 32_000;
const inputs = fc.array(
  fc
    .tuple(fc.string({ minLength: 1, unit: "grapheme" }), fc.nat(40_000))
    .map(([text, times]) => text.repeat(Math.max(1, Math.ceil(times / text.length)))),
  { minLength: 1, maxLength: 256, size: "max" },
);

test("batches keep the order, their bounds, and leave what may be over the window alone", (t) => {
  fc.assert(
    fc.property(inputs, (all) => {
      const made = batches(all, WINDOW);
      t.deepEqual(
        made.flatMap((batch) => batch.inputs),
        all,
      );
      for (const batch of made) {
        const sizes = batch.inputs.map((input) => Buffer.byteLength(input));
        t.deepEqual(batch.bytes, sizes);
        const size = sizes.reduce((sum, bytes) => sum + bytes, 0);
        t.true(batch.inputs.length <= 32);
        t.true(size <= 256 * 1024 || batch.inputs.length === 1);
        t.is(batch.mayExceed, batch.inputs.length === 1 && size > WINDOW - 8);
      }
    }),
    { numRuns: 50 },
  );
});

test("short texts share requests: 256 words are eight", (t) => {
  t.is(batches(Array(256).fill("palabra"), WINDOW).length, 8);
});

test("the bound counts bytes and a little an element, at most the window each", (t) => {
  t.is(promptBound(batches(["hola"], WINDOW), WINDOW), 12);
  t.is(promptBound(batches(["€"], WINDOW), WINDOW), 11);
  t.is(promptBound(batches(["a".repeat(31_992), "a".repeat(31_993), "a".repeat(16_000_000)], WINDOW), WINDOW), 96_000);
});
