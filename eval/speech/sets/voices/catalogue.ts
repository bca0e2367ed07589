import type { Language } from "../calls/language.ts";

/**
 * Someone who can speak. `speaker` tells whose voice it is made from: voices of one speaker are never in both splits,
 * and a voice that is another's played faster or slower (`speed`) is no new speaker, however it sounds.
 */
export interface Voice {
  name: string;
  speaker: string;
  sex: "f" | "m";
  split: "development" | "held-out";
  /** Played at this speed, which moves pitch and formants alike; 1 is as it is. */
  speed: number;
  engine: Engine;
}

export type Engine =
  /** Diphones (kal16) and statistical models of real speakers; English only. */
  | { name: "flite"; voice: string }
  /** Formants by rule, any language; hard for recognition, as a thick accent is. */
  | { name: "espeak"; voice: Record<Language, string>; pitch: number; rate: number }
  /** A neural voice. It says the lines of its own part and no others, because it takes a second a second. */
  | { name: "kokoro"; voice: string };

type Split = Voice["split"];

const flite = (voice: string, sex: Voice["sex"], split: Split, speeds: number[]): Voice[] =>
  speeds.map((speed) => ({
    name: `flite-${voice}${speed === 1 ? "" : `-${speed}`}`,
    speaker: `flite-${voice}`,
    sex,
    split,
    speed,
    engine: { name: "flite", voice },
  }));

const espeak = (variant: string, sex: Voice["sex"], split: Split, pitch: number, rate: number): Voice => ({
  name: `espeak-${variant}`,
  speaker: `espeak-${variant}`,
  sex,
  split,
  speed: 1,
  engine: { name: "espeak", voice: { en: `en-us+${variant}`, es: `es+${variant}` }, pitch, rate },
});

const kokoro = (voice: string, split: Split): Voice => ({
  name: `kokoro-${voice}`,
  speaker: `kokoro-${voice}`,
  sex: voice[1] === "f" ? "f" : "m",
  split,
  speed: 1,
  engine: { name: "kokoro", voice },
});

/** Voices that say any text. */
export const FREE_VOICES: Voice[] = [
  ...flite("slt", "f", "development", [1, 0.88]),
  ...flite("rms", "m", "development", [1, 1.14]),
  ...flite("awb", "m", "held-out", [1, 1.12]),
  ...flite("kal16", "m", "held-out", [1, 0.9, 1.2]),
  espeak("m1", "m", "development", 35, 165),
  espeak("m3", "m", "development", 60, 175),
  espeak("michael", "m", "development", 45, 160),
  espeak("f1", "f", "development", 50, 165),
  espeak("f4", "f", "development", 70, 170),
  espeak("Andrea", "f", "development", 45, 160),
  espeak("m7", "m", "held-out", 30, 160),
  espeak("Diogo", "m", "held-out", 65, 170),
  espeak("david", "m", "held-out", 40, 175),
  espeak("marcelo", "m", "held-out", 50, 165),
  espeak("f2", "f", "held-out", 40, 160),
  espeak("f5", "f", "held-out", 65, 175),
  espeak("linda", "f", "held-out", 50, 165),
  espeak("steph", "f", "held-out", 60, 170),
];

/** The parts that neural voices have: those of one topic and split make calls with each other. */
export interface Part {
  voice: Voice;
  language: Language;
  role: "agent" | "customer";
  topic: string;
}

const parts = (language: Language, split: Split, topic: string, agents: string[], customers: string[]): Part[] => [
  ...agents.map((voice): Part => ({ voice: kokoro(voice, split), language, role: "agent", topic })),
  ...customers.map((voice): Part => ({ voice: kokoro(voice, split), language, role: "customer", topic })),
];

/** Spanish has voices of its own (`e…`); the others are speakers of other languages, with their accent. */
export const PARTS: Part[] = [
  ...parts("es", "development", "billing", ["em_santa", "bf_emma"], ["af_bella"]),
  ...parts("es", "held-out", "insurance", ["ef_dora", "em_alex"], ["ff_siwis", "im_nicola"]),
  ...parts("en", "held-out", "insurance", ["af_heart"], ["bf_isabella"]),
];
