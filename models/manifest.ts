import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { sha256OfFile } from "./digest.ts";

const MANIFEST = "escriba.json";

const Manifest = z.object({
  name: z.string(),
  licence: z.string(),
  /** Where the files came from, for a person to read. */
  source: z.string(),
  converter: z.string(),
  files: z.record(z.string(), z.object({ bytes: z.number().int(), sha256: z.string() })),
});
export type Manifest = z.output<typeof Manifest>;

/** Written last: a directory without it is not a model. */
export async function writeManifest(
  directory: string,
  about: Omit<Manifest, "files">,
  files: readonly string[],
): Promise<void> {
  const manifest: Manifest = { ...about, files: {} };
  for (const file of [...files].sort()) {
    const path = join(directory, file);
    manifest.files[file] = { bytes: (await stat(path)).size, sha256: await sha256OfFile(path) };
  }
  await writeFile(join(directory, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
}

/**
 * Whether the directory holds a model as `converter` makes it. Compares sizes, not digests: this runs at every start,
 * and a file cannot change by half a download once the directory has its name.
 */
export async function directoryState(directory: string, converter: readonly string[]): Promise<State> {
  let manifest: Manifest;
  try {
    manifest = Manifest.parse(JSON.parse(await readFile(join(directory, MANIFEST), "utf8")));
  } catch {
    return (await exists(directory)) ? "damaged" : "absent";
  }
  if (!converter.includes(manifest.converter)) return "outdated";
  for (const [file, { bytes }] of Object.entries(manifest.files)) {
    const found = await stat(join(directory, file)).catch(() => undefined);
    if (found?.size !== bytes) return "damaged";
  }
  return "ready";
}

/** Files of a model that are not the bytes its manifest names, by their digests; reads them all. */
export async function changedFiles(directory: string): Promise<string[]> {
  const manifest = Manifest.parse(JSON.parse(await readFile(join(directory, MANIFEST), "utf8")));
  const changed: string[] = [];
  for (const [file, { sha256 }] of Object.entries(manifest.files)) {
    const found = await sha256OfFile(join(directory, file)).catch(() => null);
    if (found !== sha256) changed.push(file);
  }
  return changed;
}

export type State = "ready" | "absent" | "outdated" | "damaged";

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
