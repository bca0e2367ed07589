import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { withLock } from "../../../models/lock.ts";
import { call } from "./call.ts";
import { condition } from "./condition.ts";
import { languages } from "./languages.ts";
import { natural } from "./natural.ts";
import { noise } from "./noise.ts";
import { roles } from "./roles.ts";
import { type Recording, SET_NAMES, type SetName } from "./types.ts";
import { vocabulary } from "./vocabulary.ts";

/** What a set is made with. */
export interface Making {
  /** The directory that keeps what was fetched and made. */
  cache: string;
  /** Progress, a line at a time. */
  say: (line: string) => void;
  /** Nothing is made: what is not there is left out. */
  onlyMade?: boolean;
}

/** A set makes what its files lack and lists them in a fixed order. */
export type MakeSet = (making: Making) => Promise<Recording[]>;

const SETS: Record<SetName, MakeSet> = { natural, call, noise, languages, condition, vocabulary, roles };

/**
 * The evaluation sets, all or those named in `only`. What is made stays in `cache`, and the same seeds make the same
 * files byte for byte, so only the first call takes minutes. Throws for a name that is no set, and with what to do
 * where a program or a package is missing.
 */
export async function buildSets({
  cache,
  say,
  only,
  onlyMade = false,
}: Making & { only?: string[] }): Promise<Recording[]> {
  const unknown = only?.find((name) => !SET_NAMES.includes(name as SetName));
  if (unknown !== undefined) throw new Error(`no set is called ${unknown}; there are ${SET_NAMES.join(", ")}`);
  await mkdir(cache, { recursive: true });
  const recordings: Recording[] = [];
  for (const name of SET_NAMES) {
    if (only && !only.includes(name)) continue;
    const made = await alone(cache, say, () => SETS[name]({ cache, say, onlyMade }));
    const hours = made.reduce((sum, { durationMs }) => sum + durationMs, 0) / 3_600_000;
    say(`${name}: ${made.length} recordings, ${hours.toFixed(2)} h`);
    recordings.push(...made);
  }
  return recordings;
}

/** One process makes, others wait and find it made. */
async function alone<T>(cache: string, say: Making["say"], work: () => Promise<T>): Promise<T> {
  let told = false;
  const onWait = (holder: string) => {
    if (!told) say(`waiting for ${holder}, which makes the same sets`);
    told = true;
  };
  return withLock(join(cache, ".making.lock"), { onWait }, work);
}
