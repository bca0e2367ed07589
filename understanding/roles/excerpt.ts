import type { Line } from "../transcript.ts";

/** Of the room, for the end of the call: closing words tell too, but greetings tell more. */
const END_SHARE = 0.3;
/** Characters of one turn; who is who does not hang on the rest of a long story. */
const LONGEST_TURN = 400;

/** `speaker 0: …` lines of the beginning and the end of a call, of at most `room` characters. */
export function excerpt(lines: readonly Line[], room: number): string {
  const turns = lines
    .filter(({ speaker, text }) => speaker !== null && text !== "")
    .map(({ speaker, text }) => `speaker ${speaker}: ${shortened(text)}`);
  const whole = turns.join("\n");
  if (whole.length <= room) return whole;
  const beginning = fitting(turns, room * (1 - END_SHARE));
  const end = fitting(turns.slice(beginning.length).reverse(), room * END_SHARE).reverse();
  return [...beginning, "[…]", ...end].join("\n");
}

function fitting(turns: readonly string[], room: number): string[] {
  const some: string[] = [];
  let length = 0;
  for (const turn of turns) {
    length += turn.length + 1;
    if (length > room) break;
    some.push(turn);
  }
  return some;
}

const shortened = (text: string) => (text.length <= LONGEST_TURN ? text : `${text.slice(0, LONGEST_TURN)}…`);
