import test from "ava";
import { CALLS } from "../../eval/understanding/calls.ts";
import { embeddedModel } from "../../eval/understanding/embedded-model.ts";
import { faultsOf } from "../../eval/understanding/verdict.ts";
import { GROUPS, type Group } from "../../understanding/types.ts";

test("the small model of npm start: every module is valid or named, in the time it is given", async (t) => {
  const model = await embeddedModel({ patienceMs: 10_000 });
  try {
    const call = CALLS.find((known) => known.call.language === "en")?.call;
    if (!call) throw new Error("no call");
    for (const group of Object.keys(GROUPS) as Group[]) {
      const result = await model.ask(group, call);
      t.deepEqual(faultsOf(call, GROUPS[group], {}, result), [], group);
      t.is(result.delivered.length + result.warnings.length, GROUPS[group].length);
    }
  } finally {
    await model.stop();
  }
});
