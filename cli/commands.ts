import type { CommandEntry } from "./command.ts";

/** Everything `escriba` can do, in the order of its help. */
export const commands: CommandEntry[] = [
  {
    name: "models fetch",
    summary: "Fetch speech models into the cache and convert them",
    load: async () => (await import("./models.ts")).modelsFetch,
  },
];
