import { spawn } from "node:child_process";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { debianPackages } from "../../../audio/debian.ts";
import { resample } from "../../../audio/resample.ts";
import { pythonPrograms } from "../../../python-programs.ts";
import type { Making } from "../build.ts";
import type { Language } from "../calls/language.ts";
import type { Voice } from "./catalogue.ts";
import { RATE, type Speech } from "./speech.ts";

export interface Saying {
  voice: Voice;
  language: Language;
  text: string;
}

/**
 * Says each text with flite or espeak-ng, in order. One process says all of them, and another call starts another,
 * because espeak-ng carries its state from one text into the next. Throws with what is missing.
 */
export async function synthesize(sayings: Saying[], making: Making): Promise<Speech[]> {
  const answers = await ask(sayings.map(request), making);
  return answers.map(({ head, data }, i) => {
    const { text, voice } = sayings[i] as Saying;
    // What espeak-ng speaks at 22.05 kHz and what a voice's speed asks for are one step.
    const samples = resample(data, RATE / head.rate / voice.speed);
    const spans = head.words as [number, number][];
    const words = text.split(" ");
    if (spans.length !== words.length) throw new Error(`${voice.name} spoke ${spans.length} words of: ${text}`);
    return {
      samples,
      words: words.map((word, w) => {
        const [start, end] = spans[w] as [number, number];
        return { text: word, start: start / voice.speed, end: end / voice.speed };
      }),
    };
  });
}

/** The sounds of each text in IPA: of the whole, and of each of its words alone. */
export async function phonemes(texts: { language: Language; text: string }[], making: Making) {
  const answers = await ask(
    texts.map(({ language, text }) => ({ engine: "phonemes", voice: language === "en" ? "en-us" : language, text })),
    making,
  );
  return answers.map(({ head }) => ({ sentence: head.sentence as string, words: head.words as string[] }));
}

function request({ voice, language, text }: Saying): Record<string, unknown> {
  const { engine } = voice;
  if (engine.name === "flite") {
    if (language !== "en") throw new Error(`${voice.name} speaks English only`);
    return { engine: "flite", voice: engine.voice, text, stretch: voice.speed };
  }
  if (engine.name === "espeak") {
    return { engine: "espeak", voice: engine.voice[language], text, rate: engine.rate, pitch: engine.pitch };
  }
  throw new Error(`${voice.name} says only the lines of its part`);
}

interface Answer {
  head: Record<string, unknown> & { rate: number; samples: number };
  data: Int16Array<ArrayBuffer>;
}

/** Where Debian keeps its libraries on this machine's architecture. */
const LIBRARIES = { x64: "usr/lib/x86_64-linux-gnu", arm64: "usr/lib/aarch64-linux-gnu" } as Record<string, string>;

async function ask(requests: Record<string, unknown>[], { cache, say }: Making): Promise<Answer[]> {
  const programs = await pythonPrograms(new URL("../../../python/voices.txt", import.meta.url), () =>
    say("making a Python environment for espeak-ng (once)"),
  );
  const packages = await debianPackages(cache, ["libflite1", "libasound2"]);
  const libraries = packages.map((directory) => join(directory, LIBRARIES[process.arch] ?? "usr/lib"));
  const script = fileURLToPath(new URL("speak.py", import.meta.url));
  const child = spawn("env", [`LD_LIBRARY_PATH=${libraries.join(":")}`, join(programs, "python"), script], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.on("error", () => {}); // its end says more
  child.stdin.end(JSON.stringify(requests));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const [out, errors, code] = await Promise.all([buffer(child.stdout), buffer(child.stderr), ended]);
  if (code !== 0) throw new Error(`speech could not be synthesised: ${errors.toString("utf8").trim()}`);
  const answers: Answer[] = [];
  for (let at = 0; answers.length < requests.length; ) {
    const line = out.indexOf("\n", at);
    const head = JSON.parse(out.toString("utf8", at, line)) as Answer["head"];
    const end = line + 1 + 2 * head.samples;
    // A copy: Int16Array needs an even offset.
    answers.push({ head, data: new Int16Array(Uint8Array.from(out.subarray(line + 1, end)).buffer) });
    at = end;
  }
  return answers;
}
