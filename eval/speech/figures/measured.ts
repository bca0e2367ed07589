import type { SpeakerTurn } from "../measure/diarization.ts";
import type { RoleAnswer } from "../measure/roles.ts";
import type { Transcribed } from "../run/transcripts.ts";
import type { Recording } from "../sets/types.ts";

/** A recording and what the product made of it. */
export interface Measured extends Transcribed {
  recording: Recording;
}

/** A pause this long, in seconds, parts two utterances of one speaker. */
const PAUSE = 0.5;

/** What is said, in the pieces that the bootstrap draws: turns where their texts are known, else speech without pauses. */
export function utterancesOf({ turns = [], words, text = "" }: Recording): string[] {
  const spoken = turns.flatMap((turn) => ("text" in turn && typeof turn.text === "string" ? [turn.text] : []));
  if (spoken.length > 0 && spoken.length === turns.length) return spoken;
  if (!words) return text === "" ? [] : [text];
  const pieces: string[] = [];
  for (const [i, word] of words.entries()) {
    const before = words[i - 1];
    const same = before && before.speaker === word.speaker && word.start - before.end < PAUSE;
    if (same) pieces.push(`${pieces.pop()} ${word.text}`);
    else pieces.push(word.text);
  }
  return pieces;
}

/** Null: the transcript says that it cannot tell speakers apart. */
export function answeredTurns({ transcript }: Measured): SpeakerTurn[] | null {
  if (transcript.warnings.includes("diarization_unavailable")) return null;
  return transcript.utterances.flatMap(({ speaker, start, end }) =>
    speaker === null ? [] : [{ speaker, start, end }],
  );
}

export function roleAnswer({ transcript }: Measured): RoleAnswer {
  const { utterances, speakerRoleConfidence: confidence, warnings } = transcript;
  return { utterances, confidence, warnings };
}

export const hours = (measured: readonly Measured[]) =>
  measured.reduce((sum, { recording }) => sum + recording.durationMs, 0) / 3_600_000;
