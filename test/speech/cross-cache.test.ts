import { createHash } from "node:crypto";
import test from "ava";
import { CrossCache } from "../../speech/whisper/cross-cache.ts";
import { loadWhisper, type WhisperModel, WINDOW_SAMPLES } from "../../speech/whisper/model.ts";
import { model } from "./recordings.ts";

let whisper: WhisperModel;
let runs = 0;
test.before(async () => {
  const loaded = await loadWhisper(await model("whisper-base"), { threads: 1 });
  const encoder = new Proxy(loaded.encoder, {
    get(target, name) {
      if (name !== "run") return Reflect.get(target, name);
      return (...args: Parameters<typeof target.run>) => {
        runs += 1;
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

test("what a row holds already is not encoded again, and what another holds is copied", async (t) => {
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
