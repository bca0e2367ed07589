import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine } from "../../../speech/engine/engine.ts";
import { SAMPLE_RATE } from "../../../speech/types.ts";
import type { Call } from "../../../understanding/types.ts";
import type { LabelledCall, Language } from "./types.ts";
import { speak, VOICES } from "./voice.ts";

/** The longest turn that one window of recognition hears, samples. */
const WINDOW = 30 * SAMPLE_RATE;

/** Another model than this hears other words: change it with the engine's. */
const HEARER = "whisper-base 1";

/**
 * The call as the engine hears it, each turn a window of its own. Kept in `directory` under what was said and by whom, so that
 * a run that was ended carries on and a change of the rules hears nothing again.
 */
export async function hear(
  { call }: LabelledCall,
  language: Language,
  directory: string,
  engine: () => Promise<Engine>,
): Promise<Call> {
  const said = call.utterances.map(({ text, speakerRole }) => [speakerRole, text]);
  const name = createHash("sha256").update(JSON.stringify([HEARER, language, VOICES[language], said]));
  const kept = join(directory, `${name.digest("hex").slice(0, 32)}.json`);
  const texts = await keptTexts(kept);
  if (texts) return withTexts(call, texts);
  const heard = await recognised(call, language, await engine());
  await mkdir(directory, { recursive: true });
  await writeFile(`${kept}.part`, JSON.stringify(heard));
  await rename(`${kept}.part`, kept);
  return withTexts(call, heard);
}

async function keptTexts(path: string): Promise<string[] | null> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  return text === null ? null : (JSON.parse(text) as string[]);
}

const withTexts = (call: Call, texts: readonly string[]): Call => ({
  ...call,
  utterances: call.utterances.map((turn, index) => ({ ...turn, text: texts[index] ?? "" })),
});

async function recognised(call: Call, language: Language, engine: Engine): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), "escriba-heard-"));
  try {
    const sounds = await Promise.all(
      call.utterances.map(({ text, speakerRole }) => speak(text, language, speakerRole ?? "customer")),
    );
    const windows = [];
    const parts: Buffer[] = [];
    let at = 0;
    for (const [index, sound] of sounds.entries()) {
      parts.push(Buffer.from(sound.buffer, sound.byteOffset, sound.byteLength));
      windows.push({ index, spans: [{ start: at, end: at + Math.min(sound.length, WINDOW) }] });
      at += sound.length;
    }
    const path = join(directory, "call.s16");
    await writeFile(path, Buffer.concat(parts));
    const texts: string[] = call.utterances.map(() => "");
    const onWindow = ({ index, segments }: { index: number; segments: { text: string }[] }) => {
      texts[index] = segments.map(({ text }) => text.trim()).join(" ");
    };
    await engine.recognise({ pcm: { path, offset: 0, length: at }, windows, language }, { onWindow });
    return texts;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
