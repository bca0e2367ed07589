import test from "ava";
import { UsageError } from "../../cli/command.ts";
import { rolesCalibrate } from "../../cli/roles-calibrate.ts";
import { says, startDouble } from "../upstream/double.ts";

const upstreams = (url: string) => JSON.stringify({ "service-llm-1-small": { url, model: "theirs" } });

test.serial("roles calibrate prints the setting, and exits 1 for a model that may not vote", async (t) => {
  const double = await startDouble();
  double.answer(says('{"roles": {"0": "customer", "1": "agent"}, "certain": true}'));
  const printed: string[] = [];
  const log = console.log;
  console.log = (line: string) => printed.push(line);
  try {
    const code = await rolesCalibrate.run(["--calls", "12"], { ESCRIBA_UPSTREAMS: upstreams(double.url) });
    t.is(code, 1);
  } finally {
    console.log = log;
    await double.stop();
  }
  t.like(JSON.parse(printed.at(-1) ?? ""), { model: "theirs", calls: 12 });
});

test("roles calibrate: no server for the model, or a number that is none, is said", async (t) => {
  await t.throwsAsync(async () => rolesCalibrate.run([], {}), { instanceOf: UsageError, message: /no server/ });
  await t.throwsAsync(async () => rolesCalibrate.run(["--calls", "0"], { ESCRIBA_UPSTREAMS: upstreams("http://x") }), {
    instanceOf: UsageError,
    message: /--calls/,
  });
});
