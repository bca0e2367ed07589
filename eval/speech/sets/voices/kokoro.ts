import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { ensure } from "../../../../models/ensure.ts";
import { resample } from "../../../audio/resample.ts";
import { readWav, writeWav } from "../../../audio/wav.ts";
import type { Making } from "../build.ts";
import { KOKORO } from "./kokoro-catalogue.ts";
import { DURATIONS, kokoroGraph } from "./kokoro-graph.ts";
import { type Sound, soundsOfWords } from "./kokoro-sounds.ts";
import { RATE, type Speech } from "./speech.ts";
import { phonemes, type Saying } from "./synthesis.ts";

const KOKORO_RATE = 24_000;
const FRAME = 600;
const STYLE = 256;

/**
 * Says each line with its neural voice. A line is said once and kept in the cache, because speaking takes about a
 * second a second on one core; the voice has no randomness. The network's durations give the words' times, in steps of
 * 25 ms.
 */
export async function speakWithKokoro(sayings: Saying[], { cache, say }: Making): Promise<Speech[]> {
  const directory = join(cache, "kokoro");
  await mkdir(directory, { recursive: true });
  const files = sayings.map((saying) => join(directory, `${name(saying)}.wav`));
  const missing = sayings.flatMap((saying, i) =>
    existsSync(`${files[i]}.json`) ? [] : [{ saying, path: files[i] as string }],
  );
  if (missing.length > 0) await speakMissing(missing, { cache, say });
  return Promise.all(
    files.map(async (path) => {
      const { samples } = await readWav(path);
      return { samples, words: JSON.parse(await readFile(`${path}.json`, "utf8")) };
    }),
  );
}

function name({ voice, language, text }: Saying): string {
  const digest = createHash("sha256").update(JSON.stringify([voice.name, voice.speed, language, text]));
  return `${voice.name}-${digest.digest("hex").slice(0, 16)}`;
}

async function speakMissing(missing: { saying: Saying; path: string }[], { cache, say }: Making): Promise<void> {
  const models = { dir: join(cache, "models"), catalogue: KOKORO };
  const model = await ensure("kokoro-82m", models);
  const styles = await ensure("kokoro-voices", models);
  const { vocab } = JSON.parse(await readFile(join(model, "vocab.json"), "utf8")) as { vocab: Record<string, number> };
  const session = await InferenceSession.create(await kokoroGraph(model), { intraOpNumThreads: 2 });
  try {
    const spelled = await phonemes(
      missing.map(({ saying }) => saying),
      { cache, say },
    );
    for (const [i, { saying, path }] of missing.entries()) {
      const { sentence, words } = spelled[i] as (typeof spelled)[number];
      const sounds = soundsOfWords(sentence, words).filter(({ symbol }) => vocab[symbol] !== undefined);
      const speech = await speak(session, styles, saying, sounds, vocab);
      await writeWav(`${path}.part`, RATE, speech.samples);
      await rename(`${path}.part`, path);
      await writeFile(`${path}.json.part`, JSON.stringify(speech.words));
      await rename(`${path}.json.part`, `${path}.json`); // last: a line that has it is whole
      if (i % 10 === 9) say(`neural voices: ${i + 1} of ${missing.length} lines`);
    }
  } finally {
    await session.release();
  }
}

async function speak(
  session: InferenceSession,
  styles: string,
  { voice, text }: Saying,
  sounds: Sound[],
  vocab: Record<string, number>,
): Promise<Speech> {
  if (voice.engine.name !== "kokoro") throw new Error(`${voice.name} is no neural voice`);
  const bytes = await readFile(join(styles, `${voice.engine.voice}.bin`));
  // A row of the style for each number of sounds.
  const row = Math.min(sounds.length, bytes.length / 4 / STYLE) - 1;
  const style = new Float32Array(Uint8Array.from(bytes.subarray(4 * STYLE * row, 4 * STYLE * (row + 1))).buffer);
  const tokens = [0, ...sounds.map(({ symbol }) => vocab[symbol] as number), 0];
  const answer = await session.run({
    tokens: new Tensor("int64", BigInt64Array.from(tokens, BigInt), [1, tokens.length]),
    style: new Tensor("float32", style, [1, STYLE]),
    speed: new Tensor("float32", [1], [1]),
  });
  const wave = answer.audio?.data as Float32Array;
  const samples = Int16Array.from(wave, (value) => Math.round(Math.max(-1, Math.min(1, value)) * 32_767));
  const durations = Array.from(answer[DURATIONS]?.data as Float32Array, Number);
  return { samples: resample(samples, RATE / KOKORO_RATE), words: wordTimes(text, sounds, durations) };
}

function wordTimes(text: string, sounds: Sound[], durations: number[]): Speech["words"] {
  const words = text.split(" ").map((word) => ({ text: word, start: Number.NaN, end: Number.NaN }));
  let at = durations[0] as number; // the padding before the first sound
  for (const [i, { word }] of sounds.entries()) {
    const next = at + (durations[i + 1] as number);
    const mine = word === null ? undefined : words[word];
    if (mine) {
      if (Number.isNaN(mine.start)) mine.start = (at * FRAME) / KOKORO_RATE;
      mine.end = (next * FRAME) / KOKORO_RATE;
    }
    at = next;
  }
  if (words.some(({ start }) => Number.isNaN(start))) throw new Error(`a word has no sound in: ${text}`);
  return words;
}
