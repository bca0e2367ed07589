/**
 * `npm run docs:settings` and `docs:errors`: writes the pages that are derived from the code, all or the ones named.
 * A test compares them with what this would write.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pages } from "./pages.ts";

const wanted = process.argv.slice(2);
for (const [name, text] of Object.entries(pages)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  await writeFile(join(import.meta.dirname, name), text());
  process.stdout.write(`docs/${name}\n`);
}
