import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename } from "node:fs/promises";
import { join, parse } from "node:path";
import { gunzipSync } from "node:zlib";
import { debianPackages } from "../../../audio/debian.ts";
import { decodeGsm } from "../../../audio/gsm.ts";
import { resample } from "../../../audio/resample.ts";
import { readWav, writeWav } from "../../../audio/wav.ts";
import { RATE } from "./speech.ts";

/** A person whose recordings a Debian package carries. */
export interface Speaker {
  name: string;
  sex: "f" | "m";
  split: "development" | "held-out";
  language: string;
  /** The package with the sound, and where it is in it. */
  sound: [debian: string, directory: string];
  /** The package with what is said. */
  text?: [debian: string, file: string];
}

const asterisk = (language: string, directory: string) => ({
  language,
  sound: [`asterisk-core-sounds-${language}-wav`, `usr/share/asterisk/sounds/${directory}`] as [string, string],
  text: [
    `asterisk-core-sounds-${language}`,
    `usr/share/doc/asterisk-core-sounds-${language}/core-sounds-${language}.txt.gz`,
  ] as [string, string],
});

/** Allison speaks the English and the Spanish prompts: one person, one split. */
export const SPEAKERS: Speaker[] = [
  { name: "allison", sex: "f", split: "development", ...asterisk("en", "en_US_f_Allison") },
  { name: "allison-es", sex: "f", split: "development", ...asterisk("es", "es_MX_f_Allison") },
  { name: "carlo", sex: "m", split: "development", ...asterisk("it", "it_IT_m_Carlo") },
  {
    name: "armelle",
    sex: "f",
    split: "development",
    language: "fr",
    sound: ["asterisk-prompt-fr-armelle", "usr/share/asterisk/sounds/fr"],
  },
  { name: "june", sex: "f", split: "held-out", ...asterisk("fr", "fr_CA_f_June") },
  {
    name: "july",
    sex: "f",
    split: "held-out",
    language: "es",
    sound: ["asterisk-prompt-es-co", "usr/share/asterisk/sounds/es"],
  },
  {
    name: "menardi",
    sex: "f",
    split: "held-out",
    language: "it",
    sound: ["asterisk-prompt-it-menardi-wav", "usr/share/asterisk/sounds/it_IT_f_Menardi"],
  },
  {
    name: "ivrvoice",
    sex: "f",
    split: "held-out",
    language: "ru",
    sound: ["asterisk-core-sounds-ru-wav", "usr/share/asterisk/sounds/ru_RU_f_IvrvoiceRU"],
  },
  {
    name: "librivox",
    sex: "f",
    split: "held-out",
    language: "en",
    sound: ["pocketsphinx-testdata", "usr/share/pocketsphinx/test/data/librivox"],
  },
];

export interface Prompt {
  id: string;
  path: string;
  text?: string;
}

/** What a person says, of at least a second, in a fixed order; tones and single letters are left out. */
export async function promptsOf({ sound, text, name }: Speaker, cache: string): Promise<Prompt[]> {
  const [root] = (await debianPackages(cache, [sound[0]])) as [string];
  const directory = await playable(join(root, sound[1]), join(cache, "decoded", name), cache);
  const texts = text ? await textsOf(text, cache) : new Map<string, string>();
  const prompts: Prompt[] = [];
  for (const file of (await readdir(directory)).sort()) {
    const { name: id, ext } = parse(file);
    if (ext !== ".wav" || /beep|tone|monkeys|weasels|silence|demo-echo/.test(id)) continue;
    const path = join(directory, file);
    const said = texts.get(id);
    if (said && /[[\]<>()]/.test(said)) continue;
    prompts.push({ id, path, ...(said !== undefined && { text: said }) });
  }
  return prompts;
}

async function textsOf([debian, file]: [string, string], cache: string): Promise<Map<string, string>> {
  const [root] = (await debianPackages(cache, [debian])) as [string];
  const lines = gunzipSync(await readFile(join(root, file)))
    .toString("utf8")
    .split("\n");
  return new Map(
    lines.flatMap((line) => {
      const parts = /^([\w/-]+):\s*(.+)$/.exec(line);
      return parts ? [[parts[1] as string, (parts[2] as string).trim()] as const] : [];
    }),
  );
}

/** GSM files are decoded once. */
async function playable(source: string, decoded: string, cache: string): Promise<string> {
  const files = await readdir(source);
  if (files.some((file) => file.endsWith(".wav")) || existsSync(decoded)) {
    return existsSync(decoded) ? decoded : source;
  }
  const work = `${decoded}.${process.pid}`;
  await mkdir(work, { recursive: true });
  for (const file of files.filter((one) => one.endsWith(".gsm"))) {
    const samples = await decodeGsm(await readFile(join(source, file)), cache);
    await writeWav(join(work, `${parse(file).name}.wav`), 8_000, samples);
  }
  await rename(work, decoded);
  return decoded;
}

const FRAME = RATE / 100;

/** A prompt's speech at 16 kHz, without the silence before and after. */
export async function speechOf(prompt: Prompt): Promise<Int16Array<ArrayBuffer>> {
  const sound = await readWav(prompt.path);
  const samples = resample(sound.samples, RATE / sound.rate);
  const loud: number[] = [];
  let peak = 0;
  for (let at = 0; at + FRAME <= samples.length; at += FRAME) {
    let sum = 0;
    for (let i = at; i < at + FRAME; i++) sum += (samples[i] as number) ** 2;
    loud.push(sum);
    peak = Math.max(peak, sum);
  }
  const speaks = (sum: number) => sum > peak * 10 ** -4; // 40 dB under the loudest 10 ms
  const first = loud.findIndex(speaks);
  if (first < 0) return new Int16Array(0);
  return samples.slice(first * FRAME, (loud.findLastIndex(speaks) + 1) * FRAME);
}
