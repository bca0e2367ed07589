import { englishNumber, englishOrdinal } from "../dictation/numbers-en.ts";
import { spanishNumber } from "../dictation/numbers-es.ts";
import type { Random } from "../random.ts";
import type { Bit } from "../types.ts";
import type { Manner } from "./manner.ts";
import { bitsOf, plain, slipsOf } from "./value.ts";

const MONTHS = {
  es: "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split(" "),
  en: "January February March April May June July August September October November December".split(" "),
};

/** They tell nothing of a date. */
const LINKS = new Set("el de del día año en the of a".split(" "));

export interface BirthDate {
  day: number;
  month: number;
  year: number;
}

export const makeBirthDate = (random: Random): BirthDate => ({
  ...{ day: random.whole(1, 28), month: random.whole(1, 12), year: random.whole(1934, 2007) },
});

const two = (number: number) => String(number).padStart(2, "0");

/** The parts of a date as this person says them, now and then over turns or with a slip. */
export function sayBirthDate(date: BirthDate, manner: Manner): Bit[] {
  const { random, phrases, language } = manner;
  const parts = random.pick((language === "es" ? spanish : english)(date, manner)).split("|");
  const slipped = random.chance(manner.slip);
  return parts.flatMap((part, at) => {
    const bits = bitsOf(part.trim()).map((bit) => ("say" in bit && LINKS.has(bit.say) ? { say: bit.say } : bit));
    if (at === 0 && slipped) {
      const wrong =
        random
          .pick((language === "es" ? spanish : english)({ ...date, day: (date.day % 28) + 1 }, manner))
          .split("|")[0] ?? "";
      return [...slipsOf(wrong.trim()), ...plain(`, ${random.pick(phrases("slip"))} ,`), ...bits];
    }
    if (at === 0) return bits;
    if (random.chance(manner.turns * 0.6)) return [{ other: plain(random.pick(phrases("nod"))) }, ...bits];
    if (random.chance(manner.filler)) return [...plain(random.pick(phrases("filler"))), ...bits];
    return bits;
  });
}

function spanish({ day, month, year }: BirthDate, { form, random }: Manner): string[] {
  const name = MONTHS.es[month - 1] as string;
  const short = year % 100;
  const late = short < 10 ? `cero ${spanishNumber(short)}` : spanishNumber(short);
  const first = day === 1 ? random.pick(["uno", "primero"]) : spanishNumber(day);
  const spoken = [
    `el ${first} |de ${name} |de ${spanishNumber(year)}`,
    `${first} de ${name} |del ${year >= 2000 ? spanishNumber(year) : late}`,
    `${first} |del ${spanishNumber(month)} |del ${late}`,
    `${first}, |${spanishNumber(month)}, |${late}`,
    `el día ${first} |de ${name} |del año ${spanishNumber(year)}`,
    `${first} ${spanishNumber(month)} |${spanishNumber(year)}`,
    `${name} ${first} |de ${spanishNumber(year)}`,
    `en ${name} |del ${late}, |el ${first}`,
  ];
  const written = [
    `${day} de ${name} |de ${year}`,
    `el ${day} |de ${name} |del ${two(short)}`,
    `${two(day)}/${two(month)}/${year}`,
    `${two(day)}-${two(month)}-${two(short)}`,
    `${day} del ${month} |del ${two(short)}`,
    `${day} ${month} ${year}`,
    `${two(day)}.${two(month)}.${year}`,
    `${day} de ${name}, |${year}`,
    `${two(day)} |${two(month)} |${two(short)}`,
  ];
  const mixed = [
    `${day} de ${name} |del ${late}`,
    `${first} del ${month} |del ${year}`,
    `${first} de ${name} |del ${two(short)}`,
  ];
  return { words: spoken, numerals: written, mixed }[form];
}

function english({ day, month, year }: BirthDate, { form, random }: Manner): string[] {
  const name = MONTHS.en[month - 1] as string;
  const rest = year % 100;
  const plainly = (text: string) => (random.chance(0.5) ? text.replaceAll("-", " ") : text);
  const late = rest === 0 ? "hundred" : rest < 10 ? `oh ${englishNumber(rest)}` : plainly(englishNumber(rest));
  const modern = random.pick([
    `two thousand${rest ? ` ${random.pick(["and ", ""])}${englishNumber(rest)}` : ""}`,
    `twenty ${rest === 0 ? "hundred" : late}`,
  ]);
  const said = year < 2000 ? `nineteen ${late}` : modern;
  const ordinal = plainly(englishOrdinal(day));
  const ending = day > 10 && day < 14 ? "th" : (["th", "st", "nd", "rd"][day % 10] ?? "th");
  const spoken = [
    `${name} ${ordinal} |${said}`,
    `the ${ordinal} of ${name} |${said}`,
    `${ordinal} ${name} |${said}`,
    `${englishNumber(month)} |${plainly(englishNumber(day))} |${rest < 10 ? `oh ${englishNumber(rest)}` : late}`,
    `${month < 10 ? `oh ${englishNumber(month)}` : englishNumber(month)} |${plainly(englishNumber(day))} |${said}`,
    `the ${ordinal} of the ${englishOrdinal(month)} |${rest === 0 ? said : late}`,
    `${name} the ${ordinal}, |${said}`,
    `${name} ${plainly(englishNumber(day))} |${rest === 0 ? said : late}`,
  ];
  const written = [
    `${name} ${day}, |${year}`,
    `${month}/${day}/${year}`,
    `${two(day)}/${two(month)}/${two(rest)}`,
    `${day}${ending} of ${name} |${year}`,
    `${day} ${name} |${year}`,
    `${two(month)} |${two(day)} |${year}`,
    `${month}-${day}-${two(rest)}`,
    `${name} ${day}${ending} |${year}`,
  ];
  const mixed = [
    `${name} ${day} |${said}`,
    `the ${day}${ending} of ${name} |nineteen ${late}`.replace("nineteen", year < 2000 ? "nineteen" : "twenty"),
    `${name} ${ordinal} |${year}`,
  ];
  return { words: spoken, numerals: written, mixed }[form];
}
