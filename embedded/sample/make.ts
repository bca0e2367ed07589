/**
 * Makes the shipped sample call from call.script.json: each turn is spoken by a `flite` voice, the turns are laid on
 * one track with short pauses, and `sox` writes it as Ogg Vorbis. Needs Debian's `flite` and `sox`; run it only to
 * change the call: `node embedded/sample/make.ts`.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

interface Script {
  language: string;
  voices: Record<"agent" | "customer", string>;
  turns: { role: "agent" | "customer"; text: string }[];
}

/** Both voices of the script speak at 16 kHz. */
const RATE = 16_000;
/** Below this amplitude (of 32,768) a voice's leading and trailing samples are silence. */
const SILENT = 200;
/** Seconds between two turns, taken in order and again from the start. */
const PAUSES = [0.45, 0.6, 0.35, 0.5];
const EDGE = 0.4;

const here = import.meta.dirname;
const script = JSON.parse(readFileSync(join(here, "call.script.json"), "utf8")) as Script;
const work = mkdtempSync(join(tmpdir(), "escriba-sample-"));

const track: Int16Array[] = [silence(EDGE)];
let length = track[0]?.length ?? 0;
const utterances = script.turns.map(({ role, text }, index) => {
  if (index > 0) append(silence(PAUSES[index % PAUSES.length] ?? EDGE));
  const start = length / RATE;
  append(speak(script.voices[role], text));
  return { speaker: role === "agent" ? "0" : "1", role, text, start: round(start), end: round(length / RATE) };
});
append(silence(EDGE));

writeFileSync(
  join(work, "call.raw"),
  Buffer.concat(track.map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength))),
);
// biome-ignore format: one argument group a line reads as the command does
execFileSync("sox", [
  "-R", "-t", "raw", "-r", String(RATE), "-e", "signed", "-b", "16", "-c", "1", join(work, "call.raw"),
  "-C", "4", join(here, "call.ogg"),
]);
writeFileSync(
  join(here, "call.json"),
  `${JSON.stringify({ audio: "call.ogg", language: script.language, duration: round(length / RATE), text: script.turns.map((turn) => turn.text).join(" "), utterances }, null, 2)}\n`,
);
rmSync(work, { recursive: true });

function append(samples: Int16Array): void {
  track.push(samples);
  length += samples.length;
}

function silence(seconds: number): Int16Array {
  return new Int16Array(Math.round(seconds * RATE));
}

/** One turn as samples, without the silence that the voice puts around it. */
function speak(voice: string, text: string): Int16Array {
  const wav = join(work, "turn.wav");
  execFileSync("flite", ["-voice", voice, "-t", text, "-o", wav]);
  const raw = execFileSync("sox", [wav, "-t", "raw", "-r", String(RATE), "-e", "signed", "-b", "16", "-c", "1", "-"], {
    maxBuffer: 64 * 1024 * 1024,
  });
  const samples = new Int16Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.byteLength));
  const heard = (sample: number) => Math.abs(sample) > SILENT;
  const first = samples.findIndex(heard);
  return samples.slice(first, samples.findLastIndex(heard) + 1);
}

function round(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
