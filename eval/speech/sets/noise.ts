import { telephone } from "../../audio/telephone.ts";
import { writeWav } from "../../audio/wav.ts";
import { Random } from "../../random.ts";
import type { MakeSet } from "./build.ts";
import { kept, type Wanted } from "./keep.ts";
import { music } from "./noise/music.ts";
import { room, silence, traffic } from "./noise/rooms.ts";
import { busy, dialling, fax, modem, ringing } from "./noise/tones.ts";

const RATE = 16_000;

/** To be raised when a source sounds otherwise. */
const SOURCES_VERSION = 2;

/** Writes `length` samples of full scale 1 at 16 kHz. */
export type Source = (length: number, random: Random) => Float32Array;

/** Three hours and a little in all: sound, minutes of one recording, and how many there are. */
const SOURCES: [name: string, source: Source, minutes: number, count: number][] = [
  ["silence", silence, 5, 4],
  ["room", room, 5, 8],
  ["traffic", traffic, 5, 4],
  ["music", music, 5, 12],
  ["ring-back", ringing, 2, 6],
  ["busy", busy, 1.5, 6],
  ["dialling", dialling, 1.5, 8],
  ["fax", fax, 1, 8],
  ["modem", modem, 1, 8],
];

/** What a line carries when nobody speaks (the condition names it); every second recording is as a telephone has it. */
export const noise: MakeSet = (making) => kept(noises(1), making);

/** `share` of the minutes, for a test. */
export function noises(share: number): Wanted[] {
  return SOURCES.flatMap(([condition, source, minutes, count]) =>
    Array.from({ length: count }, (_, i): Wanted => {
      const id = `noise-${condition}-${i + 1}`;
      const split = i % 2 === 0 ? "development" : "held-out";
      const narrow = i % 4 > 1;
      const length = Math.round(minutes * share * 60 * RATE);
      return {
        id,
        set: "noise",
        recipe: { length, narrow, SOURCES_VERSION },
        make: async (path) => {
          const wave = source(length, new Random(id));
          const samples = Int16Array.from(wave, (value) => Math.round(Math.max(-1, Math.min(1, value)) * 32_767));
          await writeWav(path, RATE, narrow ? telephone(samples) : samples);
          return {
            split,
            language: null,
            durationMs: Math.round((1_000 * length) / RATE),
            condition,
            text: "",
            words: [],
            turns: [],
          };
        },
      };
    }),
  );
}
