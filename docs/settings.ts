import type { ZodObject } from "zod";
import { schema as apiSettings } from "../api/config.ts";
import { settings as migrateSettings } from "../cli/admin/migrate.ts";
import { schema as doctorSettings } from "../cli/doctor/config.ts";
import { embeddedSettings } from "../embedded/config.ts";
import { schema as inferenceSettings } from "../inference/config.ts";
import { modelsSettings } from "../models/config.ts";
import { schema as operatorSettings } from "../operator/config.ts";
import { describeSettings } from "../process/settings.ts";
import { schema as workerSettings } from "../workflows/config.ts";
import { table } from "./table.ts";

const PROCESSES: { title: string; settings: ZodObject }[] = [
  { title: "`npm start` and `npm run demo`", settings: embeddedSettings },
  { title: "`escriba api`", settings: apiSettings },
  { title: "`escriba worker`", settings: workerSettings },
  { title: "`escriba operator`", settings: operatorSettings },
  { title: "`escriba inference`", settings: inferenceSettings },
  { title: "`escriba models fetch`", settings: modelsSettings },
  { title: "`escriba migrate`", settings: migrateSettings },
  { title: "`escriba doctor`", settings: doctorSettings },
];

/** docs/settings.md, from the settings' own descriptions. */
export function settingsPage(): string {
  const sections = PROCESSES.map(({ title, settings }) => {
    const rows = describeSettings(settings).map(({ name, default: value, description }) => [
      `\`${name}\``,
      value === "(required)" ? "required" : value && `\`${value}\``,
      description,
    ]);
    return `## ${title}\n\n${table(["Setting", "Default", "What it does"], rows)}\n`;
  });
  return `# Settings

<!-- Written by \`npm run docs:settings\` from the config.ts of each process. -->

Every process is set up by environment variables, read once when it starts. An empty variable counts as unset. What is
not usable is refused at the start, with a line for each setting that is wrong.

${sections.join("\n")}`;
}
