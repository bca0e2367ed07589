import type { LanguageSteps } from "../steps.ts";
import { attributeRoles } from "./attribute-roles.ts";
import { type LanguageDependencies, understand } from "./understand.ts";

/** Steps of the `language` queue. Nothing here may import the database (test/workflows/no-database.test.ts). */
export function createLanguageActivities(dependencies: LanguageDependencies): LanguageSteps {
  return { attributeRoles: attributeRoles(dependencies), understand: understand(dependencies) };
}
