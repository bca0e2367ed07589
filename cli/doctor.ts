import { parseArgs } from "node:util";
import { createLog } from "../process/log.ts";
import { type Command, UsageError } from "./command.ts";
import { AREAS, type Area, type Checked, Examination } from "./doctor/check.ts";
import { readConfig, type Settings, schema } from "./doctor/config.ts";
import { Report } from "./doctor/report.ts";

export const doctor: Command = {
  usage: `[${AREAS.join(" | ")} | all]… [--json] [--strict] [--connections N]`,
  details: `Looks at what Escriba needs around it, with the settings of its processes, and says what to do about what is wrong.
Without an area: all that are configured. Exit code 1 when a check failed; --strict counts what is only to be looked at,
too. --json prints one object on standard output. What it writes (a workflow, objects) it removes again.

  temporal  reachable, namespace, workers of each queue, and whether the server shares queues out fairly
  postgres  version, encryption, pooler, connections (--connections N: what all processes open together), locks, tables
  store     the object store: write, read, list, delete, multipart, clock
  models    the models that workers load: there, whole, their digests
  upstream  each server of ESCRIBA_UPSTREAMS: list of models, a small chat, a vector
  operator  the demand endpoint and the operator, where ESCRIBA_DOCTOR_… says where they are`,
  settings: schema,
  async run(args, environment) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { json: { type: "boolean" }, strict: { type: "boolean" }, connections: { type: "string" } },
    });
    const settings = readConfig({
      ...environment,
      ...(values.connections !== undefined && { ESCRIBA_DOCTOR_CONNECTIONS: whole(values.connections) }),
    });
    const asked = areas(positionals);
    const checks: Checked[] = [];
    const report = new Report(values.json ? () => undefined : console.log);
    for (const area of asked) {
      const onChecked = (checked: Checked) => {
        const named = asAsked(checked, positionals);
        checks.push(named);
        report.add(named);
      };
      await examine(area, settings, new Examination(area, onChecked));
    }
    report.end();
    const bad = checks.filter(({ outcome }) => outcome === "failed" || (values.strict && outcome === "warning"));
    if (values.json) console.log(JSON.stringify({ ok: bad.length === 0, checks }));
    return bad.length === 0 ? 0 : 1;
  },
};

function areas(names: string[]): Area[] {
  const unknown = names.filter((name) => name !== "all" && !AREAS.includes(name as Area));
  if (unknown.length > 0) throw new UsageError(`there is no area ${unknown.join(", ")}`);
  return names.length === 0 || names.includes("all") ? [...AREAS] : AREAS.filter((area) => names.includes(area));
}

/** Nothing to look at is no fault, unless somebody asked for just that. */
function asAsked(checked: Checked, positionals: string[]): Checked {
  return checked.outcome === "skipped" && positionals.includes(checked.area)
    ? { ...checked, outcome: "failed" }
    : checked;
}

function whole(text: string): string {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new UsageError("--connections wants a whole number of at least 1");
  return text;
}

/** Code is loaded for the areas that are looked at only. */
async function examine(area: Area, settings: Settings, examination: Examination): Promise<void> {
  switch (area) {
    case "temporal":
      return (await import("./doctor/temporal.ts")).examineTemporal(settings, examination);
    case "postgres":
      return (await import("./doctor/postgres.ts")).examinePostgres(settings, examination);
    case "store":
      return (await import("./doctor/store.ts")).examineStore(settings, examination);
    case "models":
      return (await import("./doctor/models.ts")).examineModels(settings, examination);
    case "upstream":
      return (await import("./doctor/upstream.ts")).examineUpstreams(
        settings,
        examination,
        createLog("doctor", "silent"),
      );
    case "operator":
      return (await import("./doctor/operator.ts")).examineOperator(settings, examination);
  }
}
