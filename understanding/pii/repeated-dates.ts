import { dateAt, isYear, MONTH_YEAR, monthOf } from "./birth-dates.ts";
import type { Context } from "./context.ts";
import type { Lexicon } from "./language/lexicon.ts";
import type { Element, Turn } from "./spoken/elements.ts";
import type { Entity } from "./types.ts";

/** A birth date that is said again: to confirm it, or because it was not understood. Two of its parts tell. */
export function findRepeatedDates(
  found: readonly Entity[],
  turns: readonly Turn[],
  context: Context,
  lexicon: Lexicon,
): Entity[] {
  const known = new Set(
    found
      .filter(({ type }) => type === "DATE_OF_BIRTH")
      .flatMap(({ utterance, start, end }) =>
        numbersOf(
          (turns[utterance] as Turn).elements.filter((one) => one.start >= start && one.end <= end),
          lexicon,
        ),
      ),
  );
  if (known.size < 2) return [];
  return turns.flatMap(({ elements }, utterance) => {
    const dates: Entity[] = [];
    for (let at = 0; at < elements.length; at++) {
      const length = dateAt(elements, at, lexicon);
      if (length === 0) continue;
      const date = elements.slice(at, at + length);
      const said = numbersOf(date, lexicon);
      const same = new Set(said.filter((number) => known.has(number))).size;
      const [first, last] = [date[0], date.at(-1)];
      // "You're number eight one eight" has the digits of many a date.
      const least = date.some((one) => monthOf(one, lexicon) || (one.kind === "digits" && isYear(one))) ? 2 : 3;
      const [subject] = first && last ? context.at(utterance, first.start, { utterance, end: last.end }) : [];
      const other = subject?.near && subject.topic !== "DATE_OF_BIRTH";
      if (first && last && !other && same >= least && same + 1 >= said.length)
        dates.push({
          ...{ type: "DATE_OF_BIRTH", utterance, start: first.start, end: last.end },
          ...{ confidence: 0.6, source: "rule" },
        });
      at += length - 1;
    }
    return dates;
  });
}

/** Days, months and years of two digits, "19 84" and `12041984` too. */
function numbersOf(elements: readonly Element[], lexicon: Lexicon): number[] {
  return elements.flatMap((one) => {
    const month = monthOf(one, lexicon);
    if (month) return [month];
    if (one.kind !== "digits") return [];
    if (MONTH_YEAR.test(one.text) && !isYear(one)) return [Number(one.text.slice(0, -3)), Number(one.text.slice(-2))];
    const text = one.text.replace(/^(?:19|20)(?=\d\d$)/u, "");
    const parts = text.length > 2 ? (text.replace(/(?:19|20)(?=\d\d$)/u, "").match(/\d{1,2}/gu) ?? []) : [text];
    return parts.filter((part) => !(part === "19" && parts.length === 1)).map(Number);
  });
}
