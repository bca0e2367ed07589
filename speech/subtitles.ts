import { wordSeparator } from "./languages.ts";
import { rolesUsable } from "./roles.ts";
import { type Cue, cuesOf } from "./subtitle-cues.ts";
import type { Transcript, Utterance } from "./types.ts";

/** SubRip. Cues of at most two lines of 42 characters and 7 s; empty for a transcript without words. */
export function renderSrt(transcript: Transcript): string {
  return cuesOf(transcript, wordSeparator(transcript.language))
    .map(({ start, end, lines }, index) => `${index + 1}\n${times(start, end, ",")}\n${lines.join("\n")}\n`)
    .join("\n");
}

/** WebVTT, with a `<v …>` voice where speakers were separated. */
export function renderVtt(transcript: Transcript): string {
  const label = labels(transcript);
  const cues = cuesOf(transcript, wordSeparator(transcript.language)).map((cue) => {
    const voice = label(cue.utterance);
    return `${times(cue.start, cue.end, ".")}\n${voice ? `<v ${escapeVtt(voice)}>` : ""}${vttText(cue)}\n`;
  });
  return ["WEBVTT\n", ...cues].join("\n");
}

/** One line an utterance, with `Agent:`, `Customer:` or `Speaker 0:` before it where speakers were separated. */
export function renderTxt(transcript: Transcript): string {
  const label = labels(transcript);
  return transcript.utterances
    .map((utterance) => {
      const who = label(utterance);
      return `${who ? `${who}: ` : ""}${utterance.text}\n`;
    })
    .join("");
}

/** What to call the speaker of an utterance; null for no label. */
function labels(transcript: Transcript): (utterance: Utterance) => string | null {
  if (transcript.warnings.includes("diarization_unavailable")) return () => null;
  const roles = rolesUsable(transcript);
  return ({ speaker, speakerRole }) => {
    if (roles && speakerRole) return speakerRole === "agent" ? "Agent" : "Customer";
    return speaker === null ? null : `Speaker ${speaker}`;
  };
}

function vttText({ lines }: Cue): string {
  return lines.map(escapeVtt).join("\n");
}

/** WebVTT cue text: `&`, `<` and `>` would start an entity, a tag or an arrow. */
function escapeVtt(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function times(start: number, end: number, point: "," | "."): string {
  return `${clock(start, point)} --> ${clock(end, point)}`;
}

/** Seconds as HH:MM:SS with milliseconds. */
function clock(seconds: number, point: string): string {
  const ms = Math.round(seconds * 1_000);
  const part = (value: number, digits = 2) => String(Math.floor(value)).padStart(digits, "0");
  return `${part(ms / 3_600_000)}:${part((ms / 60_000) % 60)}:${part((ms / 1_000) % 60)}${point}${part(ms % 1_000, 3)}`;
}
