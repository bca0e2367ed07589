import test from "ava";
import fc from "fast-check";
import { assumedMs, startedMinutes } from "../../billing/duration.ts";
import { parseAmount, wireEur } from "../../billing/money.ts";

test("amounts on the wire have six places, rounded half to even", (t) => {
  for (const [text, shown] of [
    ["0.000000000", 0],
    ["1.000000000", 1],
    ["0.0065", 0.0065],
    ["12.345678499", 12.345678],
    ["12.345678500", 12.345678],
    ["12.345679500", 12.34568],
    ["12.345678500000001", 12.345679],
    ["0.000000500", 0],
    ["0.000001500", 0.000002],
    ["-0.000000500", 0],
    ["-1.250000000", -1.25],
    ["99999999.999999999", 100_000_000],
    ["7", 7],
  ] as const) {
    t.is(wireEur(text), shown, text);
  }
  t.is(JSON.stringify(wireEur("-0.0000001")), "0");
  t.throws(() => wireEur("1e3"), { instanceOf: RangeError });
});

test("an amount with six places or fewer is shown as it is", (t) => {
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 15n), (micros) => {
      const text = `${micros / 1_000_000n}.${String(micros % 1_000_000n).padStart(6, "0")}`;
      t.is(wireEur(text), Number(text));
    }),
    { seed: 1 },
  );
});

test("typed amounts are plain decimals over 0", (t) => {
  for (const text of ["25", "12.50", "0.000000001", "99999999999"]) t.is(parseAmount(text), text);
  for (const text of ["0", "0.00", "-1", "1e3", "1,5", "", " 1", "1.", ".5", "1.0000000001", "100000000000", "NaN"]) {
    t.throws(() => parseAmount(text), { instanceOf: RangeError }, text);
  }
});

test("every started minute counts, and at least one", (t) => {
  t.deepEqual([0, 1, 59_999, 60_000, 60_001, 119_999, 36_000_000].map(startedMinutes), [1, 1, 1, 1, 2, 2, 600]);
});

test("a URL is assumed to last an hour, an unreadable file a minute", (t) => {
  t.is(assumedMs({ audioUrl: "https://example.com/a.mp3" }), 3_600_000);
  t.is(assumedMs({ fileId: "file_1", durationMs: null }), 60_000);
  t.is(assumedMs({ fileId: "file_1", durationMs: 61_234 }), 61_234);
});
