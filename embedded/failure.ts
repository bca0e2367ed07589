import { ModelError } from "../models/errors.ts";
import { SettingsError } from "../process/settings.ts";
import { DemoError } from "./client.ts";
import { StateInUse } from "./lock.ts";
import { PortInUse } from "./ports.ts";
import { RoleFailed } from "./role.ts";
import { StateUnusable } from "./state-directory.ts";

/** Faults whose message says all a person needs; any other is ours, and its stack is worth more than its message. */
const PLAIN = [DemoError, ModelError, PortInUse, RoleFailed, SettingsError, StateInUse, StateUnusable];

export function plainMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (PLAIN.some((known) => error instanceof known)) return error.message;
  // Wrong options, and what the operating system refuses, name the option or the path.
  if (typeof (error as NodeJS.ErrnoException).code === "string") return error.message;
  return error.stack ?? error.message;
}
