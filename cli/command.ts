import type { ZodObject } from "zod";
import { describeSettings } from "../process/settings.ts";

/** One verb of the `escriba` command as the list of commands shows it; its code is loaded only when it is used. */
export interface CommandEntry {
  /** Words after `escriba`, e.g. `key create`. */
  name: string;
  /** One line, without a full stop. */
  summary: string;
  load(): Promise<Command>;
}

/** Environment variables, before a command's own schema has read them. */
export type Environment = Record<string, string | undefined>;

export interface Command {
  /** What may follow the name, e.g. `--queues NAME[,NAME…]`; empty when nothing. */
  usage: string;
  /** More lines for its own help, when there is more to say. */
  details?: string;
  /** The environment variables it reads. */
  settings?: ZodObject;
  /** Answers the exit code. Throws UsageError for arguments it does not understand. */
  run(args: string[], environment: Environment): Promise<number>;
}

/** The command line is wrong; the message says how, and the command's usage is shown with it. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** The help of one command: usage, details, and its settings. */
export function help(entry: CommandEntry, command: Command): string {
  const lines = [`Usage: ${usage(entry, command)}`, "", `${entry.summary}.`];
  if (command.details) lines.push("", command.details);
  if (command.settings) lines.push("", "Settings (environment variables):", ...settingsLines(command.settings));
  return `${lines.join("\n")}\n`;
}

export function usage({ name }: CommandEntry, command: Command): string {
  return `escriba ${name}${command.usage ? ` ${command.usage}` : ""}`;
}

/** One indented paragraph a setting: its name and default, then what it is for. */
export function settingsLines(settings: ZodObject): string[] {
  return describeSettings(settings).map(
    ({ name, description, default: value }) =>
      `  ${name}${value ? ` ${value === "(required)" ? value : `(default ${value})`}` : ""}\n      ${description}`,
  );
}
