import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { debianPackages } from "./debian.ts";
import { doubleRate, readWav } from "./wav.ts";

/** Real speech whose words are known. */
export interface Recording {
  id: string;
  /** ISO 639-1. */
  language: "en" | "es";
  text: string;
  /** 16 kHz mono WAV, or 8 kHz: `readRecording` answers 16 kHz for both. */
  path: string;
}

/**
 * Debian packages with speech and its texts: a LibriVox reading in pocketsphinx's test data (public domain) and
 * Asterisk's telephone prompts (CC-BY-SA-3.0). They are fetched when needed and never become part of this repository.
 */
const PACKAGES = [
  "pocketsphinx-testdata",
  "asterisk-core-sounds-en",
  "asterisk-core-sounds-en-wav",
  "asterisk-core-sounds-es",
  "asterisk-core-sounds-es-wav",
];

const VOICES = { en: "en_US_f_Allison", es: "es_MX_f_Allison" } as const;

/**
 * Fetches the packages into `cache` (once; no root needed) and lists the recordings in a fixed order. Prompts of
 * fewer than four words and those that are tones are left out. Throws with what to do where apt is not at hand.
 */
export async function recordings(cache: string): Promise<Recording[]> {
  const [librivoxRoot] = (await debianPackages(cache, PACKAGES)) as [string];
  return [...(await librivox(librivoxRoot)), ...(await prompts(cache, "en")), ...(await prompts(cache, "es"))];
}

/** Command-line options with which a benchmark hears the caller's own speech instead. */
export const OWN_SPEECH = {
  audio: { type: "string" },
  text: { type: "string" },
  language: { type: "string" },
} as const;

export const OWN_SPEECH_HELP = `  --language L   en or es (en)
  --audio FILE   your own speech instead of Debian's: 16-bit mono WAV of 8 or 16 kHz
  --text FILE    what is said in it`;

/** The caller's own recording when `--audio` is given, else Debian's. Throws with the option that is wrong. */
export async function chosenRecordings(
  options: Record<string, string | undefined>,
  cache: string,
): Promise<Recording[]> {
  const { audio, text, language = "en" } = options;
  if (language !== "en" && language !== "es") throw new Error("--language is en or es");
  if (audio === undefined && text === undefined) {
    return (await recordings(cache)).filter((recording) => recording.language === language);
  }
  if (audio === undefined || text === undefined) throw new Error("--audio and --text go together");
  const { mtimeMs } = await stat(audio); // a changed file makes another composition
  return [{ id: `own ${mtimeMs}`, language, text: (await readFile(text, "utf8")).trim(), path: resolve(audio) }];
}

/** Samples of a recording at 16 kHz. */
export async function readRecording(recording: Recording): Promise<Int16Array> {
  const sound = await readWav(recording.path);
  const at16k = sound.rate === 8_000 ? doubleRate(sound) : sound;
  if (at16k.rate !== 16_000) throw new Error(`${recording.path} has ${sound.rate} samples a second`);
  return at16k.samples;
}

async function librivox(root: string): Promise<Recording[]> {
  const directory = join(root, "usr/share/pocketsphinx/test/data/librivox");
  const lines = (await readFile(join(directory, "transcription"), "utf8")).trim().split("\n");
  return lines.map((line) => {
    const parts = /^<s> (.*) <\/s> \((.*)\)$/.exec(line);
    if (!parts) throw new Error(`not a line of a transcription: ${line}`);
    const [, text, id] = parts as unknown as [string, string, string];
    return { id, language: "en", text, path: join(directory, `${id}.wav`) };
  });
}

async function prompts(cache: string, language: "en" | "es"): Promise<Recording[]> {
  const name = `asterisk-core-sounds-${language}`;
  const [documents, sounds] = (await debianPackages(cache, [name, `${name}-wav`])) as [string, string];
  const directory = join(sounds, "usr/share/asterisk/sounds", VOICES[language]);
  const texts = gunzipSync(await readFile(join(documents, "usr/share/doc", name, `core-sounds-${language}.txt.gz`)));
  const found: Recording[] = [];
  for (const line of texts.toString("utf8").split("\n")) {
    const parts = /^([\w/-]+):\s*(.+)$/.exec(line);
    if (!parts) continue;
    const [, id, text] = parts as unknown as [string, string, string];
    const path = join(directory, `${id}.wav`);
    if (/[[\]<>()]/.test(text) || text.trim().split(/\s+/).length < 4 || !existsSync(path)) continue;
    found.push({ id: `${language}/${id}`, language, text: text.trim(), path });
  }
  return found;
}
