import type { Bit } from "../types.ts";
import type { Speaker } from "./dictate.ts";
import { sayDigits } from "./digits.ts";
import { sayLetter } from "./letters.ts";
import { WORDS } from "./words.ts";

const said = (words: string[]): Bit[] => words.map((say) => ({ say, value: true }));

/** `maria.garcia@gmail.com`, or "maria punto garcía arroba gmail punto com". */
export function sayEmail([local, , domain]: string[], speaker: Speaker): Bit[] {
  const { style, random } = speaker;
  const whole = `${local}@${domain}`;
  if (style.digits === "solid" || (style.digits === "grouped" && random.chance(0.5))) return said([whole]);
  const spoken = [...saySigns(local as string, speaker), ...said(["@"].map(() => at(speaker)))];
  if (random.chance(0.2)) return [...spoken, ...said([domain as string])];
  return [...spoken, ...saySigns(domain as string, { ...speaker, style: { ...style, letters: "name" } }, true)];
}

function at({ language, random }: Speaker): string {
  return random.chance(0.05) ? "@" : random.pick(WORDS[language].symbol["@"] as string[]);
}

/** Words as words, digits as this person says them, signs by name, lone letters spelled. */
function saySigns(text: string, speaker: Speaker, domain = false): Bit[] {
  const { language, style, random } = speaker;
  const words = WORDS[language];
  const parts = text.split(/([._@+-]|\d+)/u).filter((part) => part !== "");
  return parts.flatMap((part) => {
    if (/^\d+$/u.test(part)) return said(sayDigits(part, style, words, random));
    const symbol = words.symbol[part];
    if (symbol) return said(random.pick(symbol).split(" "));
    if (part.length === 1) return said(sayLetter(part.toUpperCase(), style, words, random).split(" "));
    if (!domain && random.chance(0.12))
      return said([...part].map((letter) => (random.chance(0.5) ? letter : letter.toUpperCase())));
    return said([random.chance(0.2) && !domain ? capital(part) : part]);
  });
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** A user name or a password. */
export function saySecret(value: string, speaker: Speaker): Bit[] {
  const { style } = speaker;
  if (style.digits === "solid" || style.digits === "grouped") return said([value]);
  const parts = value.split(/(?<=[A-Z])(?=[A-Z])/u);
  if (parts.length > 1)
    return value
      .split(/(\d+)/u)
      .filter((part) => part !== "")
      .flatMap((part) =>
        /\d/u.test(part)
          ? said(sayDigits(part, style, WORDS[speaker.language], speaker.random))
          : [...part].flatMap((letter) =>
              said(sayLetter(letter, style, WORDS[speaker.language], speaker.random).split(" ")),
            ),
      );
  return saySigns(value, speaker);
}
