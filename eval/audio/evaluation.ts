import { type Composition, compose } from "./compose.ts";
import type { Recording } from "./recordings.ts";

/**
 * The files that word error rates are measured on: every recording of a language exactly once, dealt into `parts`
 * files of a few minutes. `audio` is the directory that keeps them.
 */
export async function evaluationFiles(audio: string, recordings: Recording[], parts: number): Promise<Composition[]> {
  const files: Composition[] = [];
  for (const language of ["en", "es"] as const) {
    const all = recordings.filter((recording) => recording.language === language);
    for (let part = 0; part < parts; part++) {
      const dealt = all.filter((_, i) => i % parts === part);
      files.push(await compose(audio, `evaluation-${part + 1}-of-${parts}`, dealt, { seed: part + 1 }));
    }
  }
  return files;
}
