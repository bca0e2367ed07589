import test from "ava";
import fc from "fast-check";
import { podIndex, podName } from "../../../operator/workerpool/pod-name.ts";

test("a pod's name gives its number back", (t) => {
  fc.assert(
    fc.property(fc.constantFrom("speech", "a-b", "speech-0"), fc.nat(99_999), (pool, index) => {
      t.is(podIndex(pool, "bcdfg24567", podName(pool, "bcdfg24567", index)), index);
    }),
  );
});

test("a name of another form has no number", (t) => {
  for (const name of [
    "speech-bcdfg24567-",
    "speech-bcdfg24567-01",
    "speech-bcdfg24567-1x",
    "speech-zzzzz24567-1",
    "other",
  ])
    t.is(podIndex("speech", "bcdfg24567", name), null, name);
});
