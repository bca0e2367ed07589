import { readFileSync } from "node:fs";
import { type Disturbance, exchangeSpeakers, perturb, UNDISTURBED } from "./perturb.ts";
import { draw, readTemplates, seeded, type Template, type WrittenCall } from "./templates.ts";

const LANGUAGES = ["es", "en"] as const;

/** The calls on which the voters are calibrated; those of the evaluation are others (eval/roles/). */
export function calibrationTemplates(): Template[] {
  return templatesIn(import.meta.dirname);
}

/** `es.txt` and `en.txt` of a folder. */
export function templatesIn(folder: string): Template[] {
  return LANGUAGES.flatMap((language) => readTemplates(readFileSync(`${folder}/${language}.txt`, "utf8"), language));
}

/** How a recording comes to us: as it was said, and ever worse. */
export const DISTURBANCES: Record<string, Disturbance> = {
  clean: UNDISTURBED,
  recognised: { ...UNDISTURBED, wordErrors: 0.1, speakerErrors: 0.03 },
  telephone: { ...UNDISTURBED, wordErrors: 0.2, speakerErrors: 0.07, lostTurns: 0.05 },
  poor: { wordErrors: 0.25, speakerErrors: 0.1, lostTurns: 0.1, unpunctuated: true, lateTurns: 0 },
  late: { ...UNDISTURBED, wordErrors: 0.1, speakerErrors: 0.05, lateTurns: 2 },
};

export interface DisturbedCall extends WrittenCall {
  disturbance: string;
}

/** Each template drawn `times` times under each disturbance, the same for the same seed. */
export function drawCalls(templates: readonly Template[], times: number, seed: number): DisturbedCall[] {
  return templates.flatMap((template, number) =>
    Object.entries(DISTURBANCES).flatMap(([disturbance, how], kind) =>
      Array.from({ length: times }, (_, time) => {
        const random = seeded(seed * 1_000_003 + number * 10_007 + kind * 101 + time);
        const written = draw(template, random);
        return { ...written, disturbance, call: perturb(written.call, how, random) };
      }),
    ),
  );
}

/** Each inbound call of the templates once, with its two speakers exchanged from somewhere on: no answer is right. */
export function drawExchangedCalls(templates: readonly Template[], times: number, seed: number): DisturbedCall[] {
  const inbound = templates.filter(({ kind }) => kind === "inbound");
  return drawCalls(inbound, times, seed)
    .filter(({ disturbance }) => disturbance === "recognised")
    .map((drawn, number) => {
      const call = exchangeSpeakers(drawn.call, seeded(seed + number));
      return { ...drawn, kind: "exchanged", call };
    });
}
