import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Making } from "./build.ts";
import type { Recording } from "./types.ts";

/** A recording that is not made yet: `recipe` is all that decides what it becomes. */
export interface Wanted {
  id: string;
  set: Recording["set"];
  recipe: unknown;
  /** Writes the audio to the path it is given and answers what is known about it. */
  make: (path: string, making: Making) => Promise<Omit<Recording, "id" | "set" | "path">>;
}

/**
 * To be raised when the way that recordings are made changes without a change of any recipe. Texts, voices and seeds
 * are in the recipes.
 */
const VERSION = 1;

/** Enough to keep two cores busy: synthesis runs in processes of its own. */
const AT_ONCE = 3;

/** Makes what is not there, unless only what is made is asked for, and answers all, in their order. A file is named after its recipe, and whole or absent. */
export async function kept(wanted: Wanted[], { cache, say, onlyMade }: Making): Promise<Recording[]> {
  const recordings: (Recording | undefined)[] = wanted.map(() => undefined);
  const next = wanted.entries();
  let made = 0;
  let told = Date.now();
  const work = async () => {
    for (const [i, one] of next) {
      const directory = join(cache, one.set);
      const path = join(directory, `${one.id}-${digest(one.recipe)}.wav`);
      const notes = `${path}.json`;
      if (!existsSync(notes) && onlyMade) continue;
      if (!existsSync(notes)) {
        await mkdir(directory, { recursive: true });
        const known = await one.make(`${path}.part`, { cache, say });
        await rename(`${path}.part`, path);
        await writeFile(`${notes}.part`, JSON.stringify(known));
        await rename(`${notes}.part`, notes);
        made++;
        if (Date.now() - told > 5_000) {
          told = Date.now();
          say(`${one.set}: ${i + 1} of ${wanted.length}`);
        }
      }
      recordings[i] = { id: one.id, set: one.set, path, ...JSON.parse(await readFile(notes, "utf8")) };
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  if (made > 0) say(`${wanted[0]?.set}: ${made} made, ${wanted.length - made} were there`);
  return recordings.filter((recording) => recording !== undefined);
}

const digest = (recipe: unknown) =>
  createHash("sha256")
    .update(JSON.stringify([VERSION, recipe]))
    .digest("hex")
    .slice(0, 10);
