import test from "ava";
import { judge, TARGETS } from "../../../bench/asr/targets.ts";

/** Each figure exactly as it is wanted. */
const wanted = Object.fromEntries(TARGETS.map(({ figure, least, most }) => [figure, least ?? most]));

test("figures at their limits meet the targets", (t) => {
  const { passed, table } = judge(wanted, {});
  t.true(passed);
  t.false(table.includes("MISSED"));
});

for (const { figure, least } of TARGETS) {
  test(`a little worse than wanted is missed: ${figure}`, (t) => {
    const worse = (wanted[figure] as number) + (least === undefined ? 0.001 : -0.001);
    const { passed, table } = judge({ ...wanted, [figure]: worse }, {});
    t.false(passed);
    t.is(table.split("MISSED").length, 2);
  });
}

test("what could not be measured fails nothing, and says why", (t) => {
  const { passed, table } = judge({ ...wanted, speedup_sherpa: null }, { speedup_sherpa: "English only" });
  t.true(passed);
  t.true(table.includes("not measured: English only"));
});

test("a figure that is no number is missed, and nothing measured is no success", (t) => {
  t.false(judge({ ...wanted, speedup: Number.NaN }, {}).passed);
  t.false(judge({}, {}).passed);
});
