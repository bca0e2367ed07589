import test from "ava";
import { roles } from "../../eval/roles/roles.ts";

test("roles of calls that nobody tuned on: 98 % of what is attributed is right, 80 % is attributed", async (t) => {
  const { figures, passed, table } = await roles.run({}, () => undefined);
  t.true(passed, table);
  t.true((figures.role_text_calls as number) >= 200);
  t.true((figures.role_text_precision as number) >= 0.98);
  t.true((figures.role_text_coverage as number) >= 0.8);
  t.true((figures.role_text_left_null as number) >= 0.85);
});

test("a split that there is not is refused", async (t) => {
  await t.throwsAsync(
    roles.run({ split: "all" }, () => undefined),
    { message: /held-out or development/ },
  );
});
