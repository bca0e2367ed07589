import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { SAMPLE_RATE } from "../../../speech/types.ts";
import { readWav } from "../../audio/wav.ts";
import type { Language } from "./types.ts";

const run = promisify(execFile);

/** Two voices a language; Spanish has no better free voice than eSpeak's, which recognition finds hard. */
export const VOICES: Record<Language, { agent: string[]; customer: string[] }> = {
  es: { agent: ["espeak-ng", "-v", "es", "-s", "150"], customer: ["espeak-ng", "-v", "es-419+f3", "-s", "145"] },
  en: { agent: ["flite", "-voice", "rms"], customer: ["flite", "-voice", "slt"] },
};

/** A turn, spoken: 16-bit samples at 16 kHz. Needs Debian's `espeak-ng` and `flite`. */
export async function speak(text: string, language: Language, role: "agent" | "customer"): Promise<Int16Array> {
  const directory = await mkdtemp(join(tmpdir(), "escriba-voice-"));
  try {
    const file = join(directory, "turn.wav");
    const [command = "", ...options] = VOICES[language][role];
    if (command === "flite") await run(command, [...options, "-t", text, "-o", file]);
    else await run(command, [...options, "-w", file, text]);
    const { rate, samples } = await readWav(file);
    return resampled(samples, rate);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** By linear interpolation: what it folds back is far below a telephone line's noise. */
function resampled(samples: Int16Array, rate: number): Int16Array {
  const step = rate / SAMPLE_RATE;
  return Int16Array.from({ length: Math.floor(samples.length / step) }, (_, at) => {
    const place = at * step;
    const low = Math.floor(place);
    const from = samples[low] ?? 0;
    return Math.round(from + (place - low) * ((samples[low + 1] ?? from) - from));
  });
}
