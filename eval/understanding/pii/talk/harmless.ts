import { englishNumber } from "../dictation/numbers-en.ts";
import { spanishNumber } from "../dictation/numbers-es.ts";
import { sayBreath } from "./digits.ts";
import type { Manner } from "./manner.ts";

const MONTHS = {
  es: "enero marzo mayo junio septiembre octubre diciembre".split(" "),
  en: "January March May June September October December".split(" "),
};

/** A turn with its numbers that are nobody's: amounts, hours, days, orders. */
export function fillHarmless(template: string, manner: Manner): string {
  return template.replaceAll(/\{(?<kind>n|r|p|t|y|date|month)(?<size>\d*)\}/gu, (_, kind: string, size: string) =>
    make(kind, Number(size), manner),
  );
}

function make(kind: string, size: number, manner: Manner): string {
  const { random, language, form } = manner;
  const es = language === "es";
  const number = (value: number) =>
    form === "words" ? (es ? spanishNumber(value) : englishNumber(value)) : String(value);
  switch (kind) {
    case "n":
      return number(random.whole(10 ** (size - 1) + (size === 1 ? 1 : 0), 10 ** size - 1));
    case "r":
      return reference(random.digits(size), manner);
    case "y":
      return number(random.whole(1990, 2025));
    case "month":
      return random.pick(MONTHS[language]);
    case "date": {
      const [day, month] = [random.whole(2, 28), random.pick(MONTHS[language])];
      return es ? `${number(day)} de ${month}` : `${month} ${number(day)}`;
    }
    case "t": {
      const [hour, minutes] = [random.whole(8, 20), random.pick([15, 30, 45])];
      return form === "numerals"
        ? `${hour}:${minutes}`
        : `${number(es ? hour : ((hour - 1) % 12) + 1)} ${es ? "y " : ""}${number(minutes)}`;
    }
    default:
      return price(random.whole(5, 480), random.whole(10, 99), number, manner);
  }
}

function price(
  whole: number,
  rest: number,
  number: (value: number) => string,
  { random, language, form }: Manner,
): string {
  if (language === "es")
    return form === "words"
      ? `${number(whole)} ${random.pick(["euros", "euros", "pesos"])} con ${number(rest)}`
      : random.pick([`${whole},${rest} euros`, `${whole} con ${rest}`, `${whole},${rest} €`, `${whole} euros`]);
  return form === "words"
    ? `${number(whole)} ${random.pick(["dollars", "pounds"])} and ${number(rest)} cents`
    : random.pick([`$${whole}.${rest}`, `${whole} dollars and ${rest} cents`, `£${whole}.${rest}`, `${whole} dollars`]);
}

function reference(digits: string, manner: Manner): string {
  if (manner.form === "numerals" && manner.random.chance(0.6)) return digits;
  return (digits.match(/\d{1,3}/gu) ?? []).map((part) => sayBreath(part, manner)).join(manner.random.pick([" ", ", "]));
}
