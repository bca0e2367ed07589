import { parseArgs } from "node:util";
import type { Benchmark } from "./benchmark.ts";

/** A command that runs one measurement by name: `npm run bench` and `npm run eval`. */
export interface MeasuringCommand {
  /** As npm knows it. */
  name: string;
  /** One of its measurements, in a word: `benchmark`, `evaluation`. */
  noun: string;
  measurements: Record<string, Benchmark>;
  /** Last lines of the help. */
  notes: string;
}

/** Where the lines go: standard output and standard error, unless a test listens. */
export interface Console {
  out(line: string): void;
  err(line: string): void;
}

const CONSOLE: Console = { out: (line) => console.log(line), err: (line) => console.error(line) };

/**
 * Answers the exit code: 0 when the targets are met, 1 when they are missed or something failed, 2 when the command
 * was not understood. With `--json` the table goes to standard error and the last line of standard output is one JSON
 * object; progress always goes to standard error.
 */
export async function measure(command: MeasuringCommand, args: readonly string[], console = CONSOLE): Promise<number> {
  const { noun, measurements } = command;
  const [name, ...rest] = args;
  if (!name || name.startsWith("-")) {
    console.out(help(command));
    return name === "--help" || name === "-h" ? 0 : 2;
  }
  const complain = (error: unknown) =>
    console.err(`${command.name}: ${error instanceof Error ? error.message : String(error)}`);
  const measurement = Object.hasOwn(measurements, name) ? measurements[name] : undefined;
  if (!measurement) {
    complain(`there is no ${noun} ${name}; there are ${Object.keys(measurements).join(", ")}`);
    return 2;
  }
  let options: Record<string, string | boolean | undefined>;
  try {
    const json = { type: "boolean" } as const;
    const own = { ...measurement.options, json, help: { type: "boolean", short: "h" } as const };
    options = parseArgs({ args: rest, options: own }).values as typeof options;
  } catch (error) {
    complain(error);
    return 2;
  }
  if (options.help) {
    console.out(`${measurement.summary}\n\n${measurement.help}`);
    return 0;
  }
  try {
    const say = (line: string) => console.err(`${command.name}: ${line}`);
    const { json, help: _, ...chosen } = options;
    const { table, figures, passed } = await measurement.run(chosen as Record<string, string | undefined>, say);
    (json ? console.err : console.out)(table);
    if (json) console.out(JSON.stringify(figures));
    return passed ? 0 : 1;
  } catch (error) {
    complain(error);
    return 1;
  }
}

function help({ name, noun, measurements, notes }: MeasuringCommand): string {
  const names = Object.entries(measurements);
  const width = Math.max(...names.map(([measurement]) => measurement.length));
  return `Usage: npm run ${name} -- NAME [options] [--json]

${names.map(([measurement, { summary }]) => `  ${measurement.padEnd(width)}  ${summary}`).join("\n")}

  --json   one JSON object as the last line of standard output; the table goes to standard error
  --help   with the name of a${/^[aeiou]/.test(noun) ? "n" : ""} ${noun}: its options

${notes}`;
}
