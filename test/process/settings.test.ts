import test from "ava";
import * as z from "zod";
import { describeSettings, port, readSettings, SettingsError } from "../../process/settings.ts";

const schema = z.object({
  APP_PORT: port().default(8080).describe("Port of the app."),
  APP_NAME: z.string().min(1).describe("Name of the app."),
  APP_LEVEL: z.enum(["low", "high"]).default("low").describe("How loud."),
});

test("reads what is set, takes defaults for the rest, and freezes the result", (t) => {
  const settings = readSettings(schema, { APP_NAME: "calls", APP_PORT: "9000", UNRELATED: "x" });
  t.deepEqual(settings, { APP_NAME: "calls", APP_PORT: 9000, APP_LEVEL: "low" });
  t.true(Object.isFrozen(settings));
});

test("an empty variable counts as unset", (t) => {
  t.is(readSettings(schema, { APP_NAME: "calls", APP_LEVEL: "" }).APP_LEVEL, "low");
});

test("names every variable that is wrong, at once", (t) => {
  const error = t.throws(() => readSettings(schema, { APP_PORT: "70000", APP_LEVEL: "medium" }), {
    instanceOf: SettingsError,
  });
  for (const name of ["APP_PORT", "APP_NAME", "APP_LEVEL"]) t.true(error?.message.includes(name), name);
});

test("describes each setting with its default", (t) => {
  t.deepEqual(describeSettings(schema), [
    { name: "APP_PORT", description: "Port of the app.", default: "8080" },
    { name: "APP_NAME", description: "Name of the app.", default: "(required)" },
    { name: "APP_LEVEL", description: "How loud.", default: "low" },
  ]);
});
