import type { Transcript } from "../../speech/types.ts";
import type { Redaction } from "../../understanding/pii/redact.ts";
import type { Roles } from "../../understanding/types.ts";

/** The transcript with the roles that were found; without them, as it was. A speaker nobody knows stays without one. */
export function attributed(transcript: Transcript, found: Roles | null): Transcript {
  if (found === null) return transcript;
  const roleOf = (speaker: string | null) => (speaker === null ? null : (found.roles[speaker] ?? null));
  const utterances = transcript.utterances.map((turn) => ({ ...turn, speakerRole: roleOf(turn.speaker) }));
  const known = utterances.some(({ speakerRole }) => speakerRole !== null);
  return {
    ...transcript,
    utterances,
    // 0 exactly when every role is null (decisions, "Reads").
    speakerRoleConfidence: known ? found.confidence : 0,
    warnings: [...new Set([...transcript.warnings, ...found.warnings])],
  };
}

/** A redaction is made while roles are still sought: its turns get those of the transcript. */
export function attributedRedaction(redaction: Redaction, { utterances }: Transcript): Redaction {
  const turns = redaction.utterances_redacted.map((turn, index) => ({
    ...turn,
    speakerRole: utterances[index]?.speakerRole ?? null,
  }));
  return { ...redaction, utterances_redacted: turns };
}
