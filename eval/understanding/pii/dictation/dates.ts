import type { Bit, Language } from "../types.ts";
import type { Speaker } from "./dictate.ts";
import { englishNumber, englishOrdinal } from "./numbers-en.ts";
import { spanishNumber } from "./numbers-es.ts";

const MONTHS: Record<Language, string[]> = {
  es: "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split(" "),
  en: "January February March April May June July August September October November December".split(" "),
};

export function sayDate(groups: string[], { language, style, random }: Speaker): Bit[] {
  const [day, month, year] = groups.map(Number) as [number, number, number];
  const digits = ["solid", "grouped", "spaced", "mixed"].includes(style.digits);
  const forms = language === "es" ? spanish(day, month, year, digits) : english(day, month, year, digits);
  return random
    .pick(forms)
    .split(" ")
    .map((say) => ({ say, value: say !== "the" }));
}

const two = (number: number) => String(number).padStart(2, "0");

function spanish(day: number, month: number, year: number, digits: boolean): string[] {
  const name = MONTHS.es[month - 1];
  const short = year % 100;
  if (digits)
    return [
      `${two(day)}/${two(month)}/${year}`,
      `${day}-${month}-${year}`,
      `${day} de ${name} de ${year}`,
      `${day} de ${name} del ${two(short)}`,
      `${day} del ${month} del ${two(short)}`,
      `${day} del ${month} de ${year}`,
      `${two(day)} ${two(month)} ${year}`,
      `${day} de ${name}, ${year}`,
    ];
  const first = day === 1 ? "primero" : spanishNumber(day);
  return [
    `${spanishNumber(day)} de ${name} de ${spanishNumber(year)}`,
    `${first} de ${name} del ${spanishNumber(year)}`,
    `${spanishNumber(day)} de ${name} del ${spanishNumber(short)}`,
    `${spanishNumber(day)} del ${spanishNumber(month)} del ${spanishNumber(short)}`,
    `${spanishNumber(day)}, ${month < 10 ? "cero " : ""}${spanishNumber(month)}, ${spanishNumber(year)}`,
    `${spanishNumber(day)} de ${name} de ${year}`,
  ];
}

function english(day: number, month: number, year: number, digits: boolean): string[] {
  const name = MONTHS.en[month - 1];
  if (digits)
    return [
      `${month}/${day}/${year}`,
      `${two(day)}/${two(month)}/${year}`,
      `${name} ${day}, ${year}`,
      `${day} ${name} ${year}`,
      `${name} ${day}${ending(day)}, ${year}`,
      `the ${day}${ending(day)} of ${name} ${year}`,
      `${two(month)} ${two(day)} ${two(year % 100)}`,
      `${month}-${day}-${year}`,
    ];
  const rest = year % 100;
  const late = rest === 0 ? "hundred" : rest < 10 ? `oh ${englishNumber(rest)}` : englishNumber(rest);
  const said = year < 2000 ? `nineteen ${late}` : `two thousand${rest ? ` and ${englishNumber(rest)}` : ""}`;
  return [
    `${name} ${englishOrdinal(day)} ${said}`,
    `${name} ${englishOrdinal(day)}, ${said}`,
    `the ${englishOrdinal(day)} of ${name}, ${said}`,
    `${englishNumber(day)} ${name} ${said}`,
    `${englishNumber(month)} ${englishNumber(day)} ${rest > 9 ? englishNumber(rest) : `oh ${englishNumber(rest)}`}`,
    `${name} ${englishNumber(day)} ${said}`,
  ];
}

function ending(day: number): string {
  if (day > 10 && day < 14) return "th";
  return ["th", "st", "nd", "rd"][day % 10] ?? "th";
}
