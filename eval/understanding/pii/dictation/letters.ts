import type { Random } from "../random.ts";
import type { Style } from "../types.ts";
import type { Words } from "./words.ts";

/** The words in which letters are spelled: "zeta", "Z de Zaragoza", "Zulu". The letters alone when they are written. */
export function sayLetters(letters: string, style: Style, words: Words, random: Random): string[] {
  if (style.letters === "written" && random.chance(0.5)) return [letters.toUpperCase()];
  if (style.letters === "lower" && random.chance(0.5)) return [letters.toLowerCase()];
  return [...letters.toUpperCase()].flatMap((letter) => sayLetter(letter, style, words, random).split(" "));
}

export function sayLetter(letter: string, style: Style, words: Words, random: Random): string {
  const name = random.pick(words.letter[letter] ?? [letter]);
  switch (style.letters) {
    case "written":
      return letter;
    case "lower":
      return letter.toLowerCase();
    case "name":
      return name;
    case "word":
      return random.pick(words.like(letter, random.chance(0.5) ? letter : name));
    case "code":
      return words.code[letter] ?? letter;
  }
}
