import ava, { type TestFn } from "ava";
import { CONTROL_PLANE, clusterProgram } from "./programs.ts";

/**
 * ava's `test` for what needs a real control plane. Where its programs are missing, every test of the file is skipped
 * and one line says so: this is the only tier that is ever skipped, because its programs are made from source.
 */
export function clusterTest<Context = unknown>(programs: readonly string[] = CONTROL_PLANE): TestFn<Context> {
  const test = ava as TestFn<Context>;
  const missing = programs.filter((program) => clusterProgram(program) === null);
  if (missing.length === 0) return test;
  process.stderr.write(
    `\n!!! SKIPPED: tests of the control plane. Missing: ${missing.join(", ")}. \`npm run cluster:build\` makes them.\n\n`,
  );
  // Hooks stay what they are: ava runs none of them when every test is skipped.
  const skipped = (...args: Parameters<typeof test.skip>) => test.skip(...args);
  const serial = (...args: Parameters<typeof test.skip>) => test.serial.skip(...args);
  return Object.assign(skipped, test, { serial: Object.assign(serial, test.serial) }) as unknown as TestFn<Context>;
}
