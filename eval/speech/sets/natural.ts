import { join } from "node:path";
import { type Composition, compose } from "../../audio/compose.ts";
import { recordings } from "../../audio/recordings.ts";
import type { MakeSet } from "./build.ts";
import type { Recording } from "./types.ts";

const PARTS = 12;

/**
 * Recorded people: a reader of LibriVox and the voices of Asterisk's prompts, every recording once, dealt into files
 * of a few minutes with pauses between. A turn is one recording; the times inside it are not known.
 */
export const natural: MakeSet = async ({ cache }) => {
  const all = await recordings(cache);
  const made: Recording[] = [];
  for (const language of ["en", "es"] as const) {
    const spoken = all.filter((recording) => recording.language === language);
    for (let part = 0; part < PARTS; part++) {
      const dealt = spoken.filter((_, i) => i % PARTS === part);
      const composition = await compose(join(cache, "natural"), `part-${part + 1}`, dealt, { seed: part + 1 });
      made.push(described(composition, `natural-${language}-${part + 1}`));
    }
  }
  return made;
};

const described = ({ path, language, samples, text, turns }: Composition, id: string): Recording => ({
  id,
  set: "natural",
  split: "held-out",
  language,
  path,
  durationMs: Math.round(samples / 16),
  text,
  turns: turns.map(({ start, end }) => ({ speaker: "0", start: start / 16_000, end: end / 16_000 })),
});
