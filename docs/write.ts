/**
 * `npm run docs:settings`, `docs:errors`, `docs:workerpool`, `docs:chart`: writes what is derived from the code, all or what is named.
 * A test compares them with what this would write.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { pages } from "./pages.ts";

const wanted = process.argv.slice(2);
for (const [name, text] of Object.entries(pages)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const path = join(import.meta.dirname, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text());
  process.stdout.write(`${relative(join(import.meta.dirname, ".."), path)}\n`);
}
