import test from "ava";
import * as fc from "fast-check";
import { grammarSchema } from "../../inference/chat/json-schema.ts";
import { StopStrings } from "../../inference/chat/stop-strings.ts";
import { TokenText } from "../../inference/chat/token-text.ts";
import { windows } from "../../inference/embeddings/windows.ts";
import { Slots, SlotsFull } from "../../inference/slots.ts";

test("stop strings: text in any pieces is shown up to the first of them, and not a letter is lost", async (t) => {
  const letters = fc.constantFrom("a", "b", "c", "\n");
  const text = fc.array(letters, { maxLength: 30 }).map((all) => all.join(""));
  const stops = fc.array(
    fc.array(letters, { minLength: 1, maxLength: 4 }).map((all) => all.join("")),
    { maxLength: 3 },
  );
  const cuts = fc.array(fc.nat(30), { maxLength: 6 });
  await fc.assert(
    fc.property(text, stops, cuts, (whole, strings, at) => {
      const scanner = new StopStrings(strings);
      let shown = "";
      const places = [0, ...at.map((place) => Math.min(place, whole.length)), whole.length].sort((a, b) => a - b);
      for (let i = 1; i < places.length; i++) shown += scanner.push(whole.slice(places[i - 1], places[i]));
      shown += scanner.end();
      const found = strings.map((string) => whole.indexOf(string)).filter((place) => place >= 0);
      return shown === (found.length > 0 ? whole.slice(0, firstSeen(whole, strings)) : whole);
    }),
    { numRuns: 2_000 },
  );
  t.pass();
});

/** Where the text is cut when it is read letter by letter: at the stop string that is complete first. */
function firstSeen(whole: string, strings: string[]): number {
  for (let end = 1; end <= whole.length; end++) {
    const starts = strings.map((string) => whole.slice(0, end).indexOf(string)).filter((place) => place >= 0);
    if (starts.length > 0) return Math.min(...starts);
  }
  return whole.length;
}

test("letters spread over tokens wait until they are whole, broken ones do not wait for ever", (t) => {
  const bytes = [...Buffer.from("ñ😀x")];
  const model = {
    detokenize: (tokens: readonly number[]) => Buffer.from(tokens as number[]).toString("utf8"),
  };
  const text = new TokenText(model as never);
  const pieces = bytes.map((byte) => text.push(byte as never));
  t.deepEqual(pieces, ["", "ñ", "", "", "", "😀", "x"]);
  t.is(text.end(), "");
  const broken = new TokenText(model as never);
  const shown = Array.from({ length: 12 }, () => broken.push(0xc3 as never)).join("");
  t.true(shown.includes("\uFFFD"));
});

test("windows: none too long, nothing left out, as even as can be", async (t) => {
  t.deepEqual(windows(0, 254), [[0, 0]]);
  t.deepEqual(windows(254, 254), [[0, 254]]);
  t.deepEqual(windows(255, 254), [
    [0, 127],
    [127, 255],
  ]);
  await fc.assert(
    fc.property(fc.integer({ min: 1, max: 40_000 }), fc.integer({ min: 1, max: 500 }), (length, most) => {
      const cut = windows(length, most);
      const sizes = cut.map(([start, end]) => end - start);
      return (
        cut[0]?.[0] === 0 &&
        cut.at(-1)?.[1] === length &&
        cut.every(([start], i) => i === 0 || start === cut[i - 1]?.[1]) &&
        Math.max(...sizes) <= most &&
        Math.max(...sizes) - Math.min(...sizes) <= 1
      );
    }),
  );
});

test("slots: a bounded number holds, a bounded number waits in order, who leaves is forgotten", async (t) => {
  const slots = new Slots(1, 2);
  const { signal } = new AbortController();
  const gate = Promise.withResolvers<void>();
  const order: string[] = [];
  const first = slots.hold(signal, async () => {
    await gate.promise;
    order.push("first");
  });
  const leaves = new AbortController();
  const second = slots.hold(leaves.signal, async () => void order.push("second"));
  const third = slots.hold(signal, async () => void order.push("third"));
  await t.throwsAsync(
    slots.hold(signal, async () => undefined),
    { instanceOf: SlotsFull },
  );
  t.deepEqual([slots.running, slots.waiting], [1, 2]);
  leaves.abort(new Error("gone"));
  await t.throwsAsync(second, { message: "gone" });
  t.is(slots.waiting, 1);
  gate.resolve();
  await Promise.all([first, third]);
  t.deepEqual(order, ["first", "third"]);
  t.deepEqual([slots.running, slots.waiting], [0, 0]);
  await t.throwsAsync(
    slots.hold(signal, async () => {
      throw new Error("failed");
    }),
    { message: "failed" },
  );
  t.is(slots.running, 0);
});

test("schemas as zod writes them become what grammars are made of", (t) => {
  t.deepEqual(
    grammarSchema({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      title: "x",
      type: "object",
      properties: {
        score: { type: "number", minimum: 0, maximum: 1 },
        label: { type: ["string", "null"], maxLength: 5 },
        any: {},
        map: { type: "object", additionalProperties: { type: "integer" } },
        ref: { $ref: "#/definitions/one" },
        maybe: { anyOf: [{ type: "array", items: { type: "string", pattern: "^a" } }, { type: "null" }] },
      },
      required: ["score"],
      additionalProperties: false,
      definitions: { one: { allOf: [{ const: 1 }] } },
    }),
    {
      type: "object",
      properties: {
        score: { type: "number" },
        label: { oneOf: [{ type: "string", maxLength: 5 }, { type: "null" }] },
        any: {},
        map: { type: "object", additionalProperties: { type: "integer" } },
        ref: { $ref: "#/$defs/one" },
        maybe: { oneOf: [{ type: "array", items: { type: "string" } }, { type: "null" }] },
      },
      additionalProperties: false,
      $defs: { one: { const: 1 } },
    },
  );
});
