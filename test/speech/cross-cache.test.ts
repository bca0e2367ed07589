import { createHash } from "node:crypto";
import test from "ava";
import { CrossCache } from "../../speech/whisper/cross-cache.ts";
import { FRAMES, loadWhisper, type WhisperModel, WINDOW_SAMPLES } from "../../speech/whisper/model.ts";
import { model } from "./recordings.ts";

let whisper: WhisperModel;
let runs = 0;
/** Samples that the encoder was given, run by run. */
const lengths: number[] = [];
test.before(async () => {
  const loaded = await loadWhisper(await model("whisper-base"), { threads: 1 });
  const encoder = new Proxy(loaded.encoder, {
    get(target, name) {
      if (name !== "run") return Reflect.get(target, name);
      return (...args: Parameters<typeof target.run>) => {
        runs += 1;
        lengths.push(args[0].audio?.dims[1] as number);
        return target.run(...args);
      };
    },
  });
  whisper = { ...loaded, encoder };
});

const tone = (hertz: number) =>
  Float32Array.from({ length: WINDOW_SAMPLES }, (_, i) => Math.sin((i * hertz * 2 * Math.PI) / 16_000) / 4);

/** A digest of the keys and values in a row. */
function held(cache: CrossCache, row: number): string {
  const hash = createHash("sha256");
  for (const { data } of Object.values(cache.feeds(row, 1))) hash.update(data as Float32Array);
  return hash.digest("hex");
}

test.serial("what a row holds already is not encoded again, and what another holds is copied", async (t) => {
  const cache = new CrossCache(whisper, 3);
  const [low, high] = [tone(200), tone(900)];
  await cache.encode(0, low);
  await cache.encode(1, high);
  const [first, second] = [held(cache, 0), held(cache, 1)];
  t.not(first, second);
  t.is(runs, 2);
  await cache.encode(0, low);
  await cache.encode(2, high);
  t.is(runs, 2);
  t.is(held(cache, 0), first);
  t.is(held(cache, 2), second);

  cache.move(2, 0);
  await cache.encode(0, high);
  t.is(runs, 2);
  t.is(held(cache, 0), second);
  await cache.encode(0, low);
  t.is(runs, 3, "the row was overwritten, so it is heard again");
  t.is(held(cache, 0), first);

  low[0] = 0.5;
  await cache.encode(0, low);
  t.is(runs, 4, "a sample changed in the caller's own array");
});

test.serial("of a short recording only its start is encoded; what follows is silence, encoded once", async (t) => {
  const cache = new CrossCache(whisper, 2);
  const short = tone(440).fill(0, 16_000 * 4.2);
  lengths.length = 0;
  await cache.encode(0, short);
  await cache.encode(1, tone(300).fill(0, 16_000 * 20));
  t.deepEqual(lengths, [WINDOW_SAMPLES, 16_000 * 7, 16_000 * 22]);
  const whole = new CrossCache(whisper, 1);
  const full = await whole.encode(0, tone(440).fill(1e-9, 16_000 * 4.2)).then(() => keysAndValues(whole, 0));
  const other = keysAndValues(cache, 1);
  for (const [name, mine] of Object.entries(keysAndValues(cache, 0))) {
    const at = (data: Float32Array, position: number) => positionOf(name, data, position);
    for (const position of [1_100, 1_499]) t.deepEqual(at(mine, position), at(other[name] as Float32Array, position));
    // The audio sounds to the encoder as it does in the whole window, near enough.
    const likeness = [50, 100, 150].map((position) =>
      cosine(at(mine, position), at(full[name] as Float32Array, position)),
    );
    t.true(Math.min(...likeness) > 0.8, `${name}: ${likeness}`);
  }
});

function keysAndValues(cache: CrossCache, row: number): Record<string, Float32Array> {
  return Object.fromEntries(
    Object.entries(cache.feeds(row, 1)).map(([name, { data }]) => [name, data as Float32Array]),
  );
}

/** What a row holds of one position: keys are [heads × dim, positions], values [heads, positions, dim]. */
function positionOf(name: string, data: Float32Array, position: number): number[] {
  const { heads, headDim } = whisper.shape;
  const indexes = Array.from({ length: heads * headDim }, (_, i) =>
    name.startsWith("ck")
      ? i * FRAMES + position
      : (Math.floor(i / headDim) * FRAMES + position) * headDim + (i % headDim),
  );
  return indexes.map((i) => data[i] as number);
}

function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]) =>
    x.reduce((sum, value, i) => sum + value * (y[i] as number), 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}
