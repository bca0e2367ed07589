/** What a transcript says about who is who; times in seconds. */
export interface RoleAnswer {
  utterances: readonly { speakerRole: string | null; start: number; end: number }[];
  confidence: number;
  warnings: readonly string[];
}

/** Warnings with which roles are not to be used, and the confidence they need: the interface's own rule (2.8). */
const UNUSABLE = ["attribution_heuristic_disagrees", "diarization_single_speaker", "diarization_unavailable"];
const LEAST_CONFIDENCE = 0.6;

/** Whether a client that follows the interface's rule uses the roles: there are some, and nothing warns of them. */
export function rolesAreUsable({ utterances, confidence, warnings }: RoleAnswer): boolean {
  const some = utterances.some(({ speakerRole }) => speakerRole !== null);
  return some && confidence >= LEAST_CONFIDENCE && !warnings.some((warning) => UNUSABLE.includes(warning));
}

/** `unattributed` covers null, and roles that a client would not use. */
export type RoleOutcome = "right" | "wrong" | "unattributed";

/**
 * Of one call: whether each speaker with a role got it for most of the time that was attributed during his turns.
 * A call is wrong as soon as one speaker is.
 */
export function roleOutcome(
  turns: readonly { speaker: string; start: number; end: number }[],
  roles: Readonly<Record<string, string>>,
  answer: RoleAnswer,
): RoleOutcome {
  if (!rolesAreUsable(answer)) return "unattributed";
  const judged: boolean[] = [];
  for (const [speaker, role] of Object.entries(roles)) {
    let [right, wrong] = [0, 0];
    for (const turn of turns) {
      if (turn.speaker !== speaker) continue;
      for (const { speakerRole, start, end } of answer.utterances) {
        const shared = Math.min(end, turn.end) - Math.max(start, turn.start);
        if (shared <= 0 || speakerRole === null) continue;
        if (speakerRole === role) right += shared;
        else wrong += shared;
      }
    }
    if (right + wrong > 0) judged.push(right > wrong);
  }
  if (judged.length === 0) return "unattributed";
  return judged.every(Boolean) ? "right" : "wrong";
}

/** Whether a call whose roles nobody could tell was left without, or warned of. */
export function leftNullOrWarned(answer: RoleAnswer): boolean {
  return !rolesAreUsable(answer) || answer.warnings.includes("diarization_low_minority_share");
}
