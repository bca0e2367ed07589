import { type Area, type Checked, Examination } from "../../../cli/doctor/check.ts";
import { readConfig, type Settings } from "../../../cli/doctor/config.ts";

/** What each check of an area says, by its name, with these settings. */
export async function examined(
  area: Area,
  examine: (settings: Settings, examination: Examination) => Promise<void>,
  environment: Record<string, string>,
): Promise<Record<string, Checked>> {
  const checks: Record<string, Checked> = {};
  const examination = new Examination(area, (checked) => {
    checks[checked.check] = checked;
  });
  await examine(readConfig(environment), examination);
  return checks;
}

/** Name and outcome of each, for one assertion. */
export function outcomes(checks: Record<string, Checked>): Record<string, string> {
  return Object.fromEntries(Object.entries(checks).map(([name, { outcome }]) => [name, outcome]));
}
