import { errorsPage } from "./errors.ts";
import { settingsPage } from "./settings.ts";

/** The pages of docs/ that are derived from the code, by file name. */
export const pages: Record<string, () => string> = {
  "errors.md": errorsPage,
  "settings.md": settingsPage,
};
