import { fileURLToPath } from "node:url";
import type { Contender } from "../contender.ts";
import type { Rivals } from "../rivals.ts";
import type { Bench } from "./part.ts";
import type { Entry } from "./turns.ts";

/** Who competes in more than one part; each process stays up. */
export interface Field {
  ours: Contender;
  withVoices: Contender;
  fasterWhisper: Contender;
}

/** Path of a contender's program. */
export const script = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));

export function startOurs({ company, threads, say }: Bench, { voices }: { voices: boolean }): Promise<Contender> {
  const name = voices ? "Escriba with embeddings" : "Escriba";
  say(`loading ${name}`);
  const args = [script("contenders/escriba.ts"), String(threads), ...(voices ? ["voices"] : [])];
  return company.start(name, process.execPath, args);
}

export function startFasterWhisper({ company, threads }: Bench, { python, ct2 }: Rivals): Promise<Contender> {
  return company.start("faster-whisper", python, [script("python/faster_whisper_contender.py"), ct2, String(threads)]);
}

/** Who has no settings to choose among. */
export const entry = (contender: Contender): Entry => ({ contender, settings: {}, label: "" });
