import type { Environment } from "./command.ts";

/** Read here and nowhere else in cli/; the schema of the command that runs decides what of it counts. */
export function environment(): Environment {
  return process.env;
}
