import type { Random } from "../random.ts";
import type { Bit, Language, Split, Style } from "../types.ts";
import type { Value } from "../values.ts";
import { sayDate } from "./dates.ts";
import { sayDigits } from "./digits.ts";
import { sayLetters } from "./letters.ts";
import { sayEmail, saySecret } from "./signs.ts";
import { WORDS, type Words } from "./words.ts";

export interface Speaker {
  language: Language;
  split: Split;
  style: Style;
  random: Random;
}

/** The value as this person says it. */
export function dictate(value: Value, speaker: Speaker): Bit[] {
  switch (value.type) {
    case "EMAIL":
      return sayEmail(value.groups, speaker);
    case "DATE_OF_BIRTH":
      return sayDate(value.groups, speaker);
    case "USERNAME":
    case "PASSWORD":
      return saySecret(value.groups[0] as string, speaker);
    default:
      return sayNumber(value, speaker);
  }
}

const bits = (said: string[]): Bit[] => said.map((say) => ({ say, value: true }));

/** Groups of digits and letters, with what comes between them. */
function sayNumber({ type, groups }: Value, { language, split, style, random }: Speaker): Bit[] {
  const words = WORDS[language];
  const spoken = type === "NATIONAL_ID" && style.digits === "number" ? asOneNumber(groups, words) : null;
  if (spoken) return spoken;
  if (style.digits === "solid") return written(groups, random);
  const parts = style.digits === "grouped" && random.chance(0.5) ? [written(groups, random)] : null;
  if (parts) return parts[0] as Bit[];
  return groups.flatMap((group, index) => {
    const said = sayGroup(group, style, words, random);
    const last = index === groups.length - 1;
    const wrong = random.chance(style.correction) && /^\d{2,4}$/u.test(group) ? slip(group, style, words, random) : [];
    return [
      ...(wrong.length > 0 ? [...wrong, ...plain(random.pick(words.corrections[split]))] : []),
      ...bits(said),
      ...(last ? [] : between(said, { language, split, style, random })),
    ];
  });
}

export function sayGroup(group: string, style: Style, words: Words, random: Random): string[] {
  return group.split(/(\d+|\+)/u).flatMap((part) => {
    if (part === "") return [];
    if (part === "+")
      return style.digits === "single" || style.digits === "pairs" ? [words.symbol["+"]?.[0] as string] : ["+"];
    return /\d/u.test(part) ? sayDigits(part, style, words, random) : sayLetters(part, style, words, random);
  });
}

const plain = (text: string): Bit[] => text.split(" ").map((say) => ({ say }));

/** A wrong group before its correction. */
function slip(group: string, style: Style, words: Words, random: Random): Bit[] {
  const wrong = group.slice(0, -1) + ((Number(group.at(-1)) + random.whole(1, 8)) % 10);
  const said = sayGroup(wrong, style, words, random);
  return said.map((say, index) => ({ say: index === said.length - 1 ? `${say},` : say }));
}

function between(said: string[], { language, split, style, random }: Speaker): Bit[] {
  const words = WORDS[language];
  if (random.chance(style.turns)) {
    const echo: Bit[] = random.chance(style.echo)
      ? said.map((say) => ({ say, value: true }))
      : plain(random.pick(words.backchannels[split]));
    return [{ other: echo }];
  }
  const comma: Bit[] = style.between === "comma" ? [{ say: "," }] : style.between === "stop" ? [{ say: "." }] : [];
  const link = style.between === "words" && random.chance(0.4) ? plain(random.pick(words.connectors[split])) : [];
  const filler = random.chance(style.filler) ? plain(random.pick(words.fillers[split])) : [];
  return [...comma, ...link, ...filler];
}

/** Whole, or with a separator of one kind between the groups. */
function written(groups: string[], random: Random): Bit[] {
  const separator = random.pick(["", " ", " ", "-", "."]);
  const [head, ...rest] = groups;
  const text = head?.startsWith("+") && separator === "" ? `${head} ${rest.join("")}` : groups.join(separator);
  return bits(text.split(" "));
}

/** "doce millones trescientos… con zeta". */
function asOneNumber(groups: string[], words: Words): Bit[] | null {
  const digits = groups.filter((group) => /^\d+$/u.test(group)).join("");
  if (digits.startsWith("0") || digits.length > 8 || words.digit("0") !== "cero") return null;
  const letters = groups.filter((group) => !/^\d+$/u.test(group));
  if (letters.length > 1) return null;
  const number = bits(words.number(Number(digits)).split(" "));
  const letter = letters.flatMap((one) => bits([one]));
  return groups[0] && !/^\d/u.test(groups[0]) ? [...letter, ...number] : [...number, ...letter];
}
