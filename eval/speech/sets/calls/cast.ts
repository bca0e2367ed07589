import type { Random } from "../../../random.ts";
import { FREE_VOICES, type Voice } from "../voices/catalogue.ts";
import type { Language } from "./language.ts";
import type { Script } from "./script.ts";

/** The voices of a split that say any text in a language. */
export const voicesFor = (language: Language, split: Voice["split"]) =>
  FREE_VOICES.filter((voice) => voice.split === split && (language === "en" || voice.engine.name === "espeak"));

/**
 * Gives each speaker of a script a voice of the split, no two of them made from one speaker. `sameSex` asks that all
 * are of one sex; otherwise the first two differ.
 */
export function castFor(
  script: Script,
  split: Voice["split"],
  sameSex: boolean,
  random: Random,
): Record<string, Voice> {
  const speakers = [...new Set(script.lines.map(({ speaker }) => speaker))];
  const free = random.shuffled(voicesFor(script.language, split));
  const cast: Record<string, Voice> = {};
  const first = free[0];
  for (const [i, speaker] of speakers.entries()) {
    const taken = new Set(Object.values(cast).map((voice) => voice.speaker));
    const fits = (voice: Voice) => i === 0 || (voice.sex === first?.sex) === (sameSex || i % 2 === 0);
    const voice = free.find((one) => !taken.has(one.speaker) && fits(one));
    if (!voice) throw new Error(`too few voices for ${speakers.length} speakers of ${script.language}`);
    cast[speaker] = voice;
  }
  return cast;
}
