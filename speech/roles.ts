import type { Transcript } from "./types.ts";

const UNRELIABLE = ["attribution_heuristic_disagrees", "diarization_single_speaker", "diarization_unavailable"];
const LEAST_CONFIDENCE = 0.6;

/** The rule of section 2.8: below it a call counts as one without roles. */
export function rolesUsable({
  warnings,
  speakerRoleConfidence,
}: Pick<Transcript, "warnings" | "speakerRoleConfidence">): boolean {
  return speakerRoleConfidence >= LEAST_CONFIDENCE && !UNRELIABLE.some((warning) => warnings.includes(warning));
}
