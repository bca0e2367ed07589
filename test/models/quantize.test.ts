import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import * as fc from "fast-check";
import { Graph } from "../../models/onnx/graph.ts";
import { blockProduct, rowProduct, tensorProduct } from "../../models/onnx/products.ts";
import { BLOCK, quantizeBlocks } from "../../models/onnx/quantize.ts";
import { writeOnnx } from "../../models/onnx/write.ts";
import { f32, floatsOf, load } from "./session.ts";
import { generator } from "./tiny-whisper.ts";

/** Below this, 32-bit floats lose digits. */
const SMALLEST = 2 ** -126;

test("no weight moves by more than half a step of its block", (t) => {
  const matrix = fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 150 })).chain(([rows, columns]) =>
    fc.record({
      rows: fc.constant(rows),
      columns: fc.constant(columns),
      weights: fc.float32Array({ minLength: rows * columns, maxLength: rows * columns, noNaN: true, min: -4, max: 4 }),
    }),
  );
  void fc.assert(
    fc.property(matrix, ({ rows, columns, weights }) => {
      const { values, scales, blocks } = quantizeBlocks(weights, rows, columns);
      for (let row = 0; row < rows; row++) {
        for (let i = 0; i < columns; i++) {
          const scale = scales[row * blocks + Math.floor(i / BLOCK)] as number;
          const back = ((values[row * blocks * BLOCK + i] as number) - 128) * scale;
          if (Math.abs(back - (weights[row * columns + i] as number)) > scale * 0.5001 + SMALLEST) return false;
        }
        // What pads the last block must count for nothing.
        for (let i = columns; i < blocks * BLOCK; i++) if (values[row * blocks * BLOCK + i] !== 128) return false;
      }
      return true;
    }),
  );
  t.pass();
});

for (const [name, product, tolerance] of [
  ["blocks", blockProduct, 0.15],
  ["a scale for the whole tensor", tensorProduct, 0.35],
  ["a scale for each row", rowProduct, 0.35],
] as const) {
  test(`onnxruntime multiplies as we lay it out: ${name}`, async (t) => {
    const directory = await mkdtemp(join(tmpdir(), "escriba-products-"));
    t.teardown(() => rm(directory, { recursive: true }));
    const [outputs, inputs, positions] = [24, 160, 3];
    const random = generator(11);
    const weights = Float32Array.from({ length: outputs * inputs }, random);
    const x = Float32Array.from({ length: positions * inputs }, random);
    const graph = new Graph("product");
    graph.input("x", "f32", [1, "positions", inputs]);
    graph.node("Identity", [product(graph, "x", { name: "w", outputs, inputs, read: () => weights })], {}, "y");
    graph.output("y", "f32", [1, "positions", outputs]);
    const path = join(directory, "product.onnx");
    await writeOnnx(graph, path, { producer: "test", version: "1" });
    const y = await (await load(path)).run({ x: f32(x, [1, positions, inputs]) });
    t.deepEqual(y.y?.dims, [1, positions, outputs]);
    const result = floatsOf(y, "y");
    for (let row = 0; row < positions; row++) {
      for (let output = 0; output < outputs; output++) {
        let expected = 0;
        for (let i = 0; i < inputs; i++) {
          expected += (x[row * inputs + i] as number) * (weights[output * inputs + i] as number);
        }
        const difference = Math.abs((result[row * outputs + output] as number) - expected);
        t.true(difference < tolerance, `${difference} at ${row}, ${output}`);
      }
    }
  });
}

test("a weight of the wrong size is refused when the file is written", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "escriba-onnx-"));
  t.teardown(() => rm(directory, { recursive: true }));
  const graph = new Graph("wrong");
  graph.floats("w", [2, 3], () => new Float32Array(5));
  await t.throwsAsync(writeOnnx(graph, join(directory, "x.onnx"), { producer: "test", version: "1" }), {
    message: /w: 20 bytes do not fill f32 \[2, 3\]/,
  });
});
