import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ExecutionContext } from "ava";
import { defaultModelsDirectory, ensure } from "../../models/ensure.ts";
import { prepareAudio } from "../../speech/prepare.ts";
import type { PcmFile, Plan, Window } from "../../speech/types.ts";
import { VoiceDetectors } from "../../speech/voice-activity/detectors.ts";

/** The words of the turns in test/fixtures, as README.md there says they were synthesised. */
export const TEXTS = {
  en:
    "good morning thank you for calling the electricity company how can i help you today hello i would like to move my " +
    "contract to a new address because we are leaving the city next month of course could you tell me the number on " +
    "your last invoice please i am sorry i do not have the invoice here can you find the contract by my name and " +
    "street yes that is possible the new contract starts on the first day of october and the old one ends one day " +
    "before that is very kind of you please send the papers to my office and not to the old house",
  es:
    "buenos días gracias por llamar a la compañía de la luz en qué puedo ayudarle hola quiero cambiar el contrato a una " +
    "dirección nueva porque el mes que viene dejamos la ciudad por supuesto me puede decir el número de la última " +
    "factura por favor lo siento no tengo la factura aquí el contrato está a nombre de mi padre",
};

export interface Prepared {
  pcm: PcmFile;
  plan: Plan;
  windows: Window[];
}

export function model(name: "whisper-base" | "silero-vad" | "campplus" | "moonshine-tiny"): Promise<string> {
  return ensure(name, { dir: defaultModelsDirectory(process.env) });
}

/** For one recording: its process ends with it. */
export async function ownDetector(): Promise<VoiceDetectors> {
  return new VoiceDetectors(await model("silero-vad"), { keep: 0 });
}

/** A fixture, decoded and planned by the real parts, in a directory that goes with the test. */
export async function prepareFixture(t: ExecutionContext, name: string): Promise<Prepared> {
  const scratch = await mkdtemp(join(tmpdir(), "escriba-speech-"));
  t.teardown(() => rm(scratch, { recursive: true, force: true }));
  const path = join(scratch, "audio.s16");
  const source = new URL(`../fixtures/${name}`, import.meta.url).pathname;
  const plan = await prepareAudio({ source, pcm: path, detectors: await ownDetector() });
  return {
    plan,
    pcm: { path, offset: 0, length: plan.samples },
    windows: plan.chunks.flatMap((chunk) => chunk.windows),
  };
}

/** Each span a window of its own: many small windows out of a short recording. */
export function oneSpanWindows(windows: readonly Window[]): Window[] {
  return windows.flatMap(({ spans }) => spans).map((span, index) => ({ index, spans: [span] }));
}

/** Words as they are compared: lower case, no marks. */
export function bareWords(text: string): string[] {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}' ]/gu, " ")
    .split(/\s+/u)
    .filter((word) => word !== "");
}

/** Word error rate: insertions, deletions and substitutions over the words that were said. */
export function wordErrorRate(said: string, heard: string): number {
  const [reference, hypothesis] = [bareWords(said), bareWords(heard)];
  let row = Array.from({ length: hypothesis.length + 1 }, (_, index) => index);
  for (const [i, word] of reference.entries()) {
    const next = [i + 1];
    for (const [j, other] of hypothesis.entries()) {
      const changed = (row[j] as number) + (word === other ? 0 : 1);
      next.push(Math.min(changed, (row[j + 1] as number) + 1, (next[j] as number) + 1));
    }
    row = next;
  }
  return (row.at(-1) as number) / reference.length;
}
