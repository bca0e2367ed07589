import { chartReadme } from "./chart/readme.ts";
import { valuesSchemaFile } from "./chart/values.ts";
import { dashboardFiles } from "./dashboards/files.ts";
import { errorsPage } from "./errors.ts";
import { metricsPage } from "./metrics.ts";
import { scalingPage } from "./scaling/page.ts";
import { scalingPicture } from "./scaling/picture.ts";
import { settingsPage } from "./settings.ts";
import { workerPoolDefinitionFile, workerPoolPage } from "./workerpool.ts";

/** The pages, and other files, that are derived from the code, by their path from docs/. */
export const pages: Record<string, () => string> = {
  "errors.md": errorsPage,
  "metrics.md": metricsPage,
  "scaling.md": scalingPage,
  "images/scaling.svg": scalingPicture,
  "settings.md": settingsPage,
  "workerpool.md": workerPoolPage,
  "../charts/escriba/crds/workerpools.escriba.dev.yaml": workerPoolDefinitionFile,
  "../charts/escriba/README.md": chartReadme,
  "../charts/escriba/values.schema.json": valuesSchemaFile,
  ...dashboardFiles,
};
