import type { Lexicon } from "./cues/cue-names.ts";
import { countMatches } from "./plain-words.ts";
import type { Turn } from "./turns.ts";

/**
 * Calls whose course the cues were not made for. What the heuristic thinks of one counts only beside a language
 * model's equal vote.
 */
export type Unusual = "several-speakers" | "machine" | "outbound";

/** Turns in which a menu, or who called whom, is heard. */
const OPENING = 8;
/** A menu offers more than one key; one alone may be help with a telephone. */
const MENU_PHRASES = 2;

export function unusualCourse(
  turns: readonly Turn[],
  speakers: readonly string[],
  lexicons: readonly Lexicon[],
): Unusual | null {
  if (machineVoices(turns, lexicons).size > 0) return "machine";
  if (speakers.length > 2) return "several-speakers";
  const opening = turns.slice(0, OPENING);
  if (opening.some(({ plain }) => heard(plain, lexicons, "callsForCompany") > 0)) return "outbound";
  const answered = opening[0] && lexicons.some(({ bareAnswer }) => bareAnswer.test(opening[0]?.plain ?? ""));
  const wanted = opening.slice(1, 4).some(({ plain }) => heard(plain, lexicons, "asksForPerson") > 0);
  return answered && wanted ? "outbound" : null;
}

/** Speakers that are heard to read a menu at the beginning. */
export function machineVoices(turns: readonly Turn[], lexicons: readonly Lexicon[]): Set<string> {
  const menus = turns.slice(0, OPENING).filter(({ plain }) => heard(plain, lexicons, "machine") >= MENU_PHRASES);
  return new Set(menus.map(({ speaker }) => speaker));
}

function heard(plain: string, lexicons: readonly Lexicon[], kind: "machine" | "callsForCompany" | "asksForPerson") {
  return lexicons.reduce((sum, lexicon) => sum + countMatches(plain, lexicon[kind]), 0);
}
