import type { Role, Utterance } from "./types.ts";

/** A turn as a model reads it. */
export interface Line {
  /** Its place in the call. */
  index: number;
  role: Role | null;
  speaker: string | null;
  text: string;
  /** Something said to machines (orders.ts), asked about apart from the rest. */
  suspect?: boolean;
}

/** `[3] customer: …`. A turn of an agent has no number, so that nothing can be said about it. */
export function renderLine({ index, role, speaker, text }: Line): string {
  const who = role ?? (speaker === null ? "speaker" : `speaker ${speaker}`);
  return role === "agent" ? `${who}: ${text}` : `[${index}] ${who}: ${text}`;
}

/**
 * What a turn may not look like: marks, tags, several lines. Speech has none of these, so nothing is lost.
 */
export function plain(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .replaceAll("<", "‹")
    .replaceAll(">", "›")
    .trim();
}

export function linesOf(utterances: readonly Utterance[]): Line[] {
  return utterances.map(({ speaker, speakerRole, text }, index) => ({
    index,
    speaker,
    role: speakerRole,
    text: plain(text),
  }));
}
