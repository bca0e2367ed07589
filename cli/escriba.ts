import { readFile } from "node:fs/promises";
import { keepCompiledCode } from "../process/compile-cache.ts";
import { SettingsError } from "../process/settings.ts";
import { type CommandEntry, help, UsageError, usage } from "./command.ts";
import { commands } from "./commands.ts";
import { environment } from "./config.ts";

keepCompiledCode(environment());
process.exitCode = await main(process.argv.slice(2));
// A role that has stopped holds nothing worth waiting for; idle sockets of clients must not keep the process.
process.exit();

async function main(args: string[]): Promise<number> {
  if (args[0] === "--version") {
    const { version } = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8"));
    console.log(version);
    return 0;
  }
  if (args.length === 0 || args[0] === "--help" || args[0] === "help") {
    console.log(overview());
    return args.length === 0 ? 2 : 0;
  }
  const found = find(args);
  if (!found) {
    console.error(`escriba: no command "${args.join(" ")}"\n\n${overview()}`);
    return 2;
  }
  const { entry, rest } = found;
  const command = await entry.load();
  if (rest.includes("--help")) {
    console.log(help(entry, command));
    return 0;
  }
  try {
    return await command.run(rest, environment());
  } catch (error) {
    if (error instanceof UsageError || isArgumentError(error)) {
      console.error(`escriba ${entry.name}: ${error.message}\nUsage: ${usage(entry, command)}`);
      return 2;
    }
    if (error instanceof SettingsError) {
      console.error(`escriba ${entry.name}: ${error.message}\nSee: escriba ${entry.name} --help`);
      return 2;
    }
    console.error(`escriba ${entry.name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return 1;
  }
}

/** The entry whose words the arguments begin with: two words (`key create`) before one (`api`). */
function find(args: string[]): { entry: CommandEntry; rest: string[] } | undefined {
  for (const words of [2, 1]) {
    const entry = commands.find(({ name }) => name === args.slice(0, words).join(" "));
    if (entry) return { entry, rest: args.slice(words) };
  }
  return undefined;
}

/** node:util's parseArgs throws these for options that a command does not have. */
function isArgumentError(error: unknown): error is Error {
  return error instanceof Error && String((error as NodeJS.ErrnoException).code).startsWith("ERR_PARSE_ARGS");
}

function overview(): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    "Usage: escriba COMMAND [OPTIONS]",
    "",
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    "",
    "escriba COMMAND --help shows a command's options and settings; escriba --version the version.",
  ].join("\n");
}
