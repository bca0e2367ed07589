/**
 * Rough sounds of written words, one character a sound, so that `Iberdrola` and `y verdrola` can be seen to be alike.
 * Letters alone decide, by the spelling rules of Spanish or English; other languages are read by the Spanish ones,
 * whose letters mostly mean what they look like. Both write into one alphabet, so that an English brand in a Spanish
 * call can be compared.
 *
 * Capitals: S (sh), C (ch), T (th), N (ñ, ng), J (j of "jet"), Z (z of "zoo"), X (Spanish j). Digits stand for
 * themselves.
 */
export function phonesOf(text: string, language: string): string {
  return words(text)
    .map((word) => (language === "en" ? english(word) : spanish(word)))
    .join("");
}

/** How the letters of an abbreviation are called one after the other; "" when it has other characters. */
export function spelledOut(text: string, language: string): string {
  const names = LETTERS[language === "en" ? "en" : "es"] as Record<string, string>;
  const letters = Array.from(text.toLowerCase().normalize("NFC"));
  if (letters.some((letter) => names[letter] === undefined)) return "";
  return letters.map((letter) => phonesOf(names[letter] as string, language)).join("");
}

function words(text: string): string[] {
  const plain = text
    .toLowerCase()
    .replaceAll("ñ", "\u0001")
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .replaceAll("\u0001", "ñ");
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Longest spelling first; a rule's letters are eaten, its sounds are written. `$` is the end of the word. */
type Rules = readonly (readonly [spelling: RegExp, sounds: string])[];

function read(word: string, rules: Rules): string {
  let sounds = "";
  for (let at = 0; at < word.length; ) {
    let eaten = 0;
    for (const [spelling, written] of rules) {
      spelling.lastIndex = at;
      const match = spelling.exec(word);
      if (!match || match[0].length === 0) continue;
      eaten = match[0].length;
      sounds += written;
      break;
    }
    if (eaten === 0) {
      sounds += word[at];
      eaten = 1;
    }
    at += eaten;
  }
  // A letter that is doubled sounds once.
  return sounds.replace(/(\D)\1+/gu, "$1");
}

function spanish(word: string): string {
  return read(word, SPANISH);
}

function english(word: string): string {
  return read(word, ENGLISH);
}

/** Latin American: z is s, ll is y; b and v are one sound everywhere. */
const SPANISH: Rules = [
  [/ch|tx/y, "C"],
  [/tz/y, "s"],
  [/sh/y, "S"],
  [/ll/y, "y"],
  [/rr/y, "r"],
  [/ph/y, "f"],
  [/th/y, "t"],
  [/ck/y, "k"],
  [/qu(?=[ei])/y, "k"],
  [/q/y, "k"],
  [/c(?=[eiy])/y, "s"],
  [/c/y, "k"],
  [/gu(?=[ei])/y, "g"],
  [/g(?=[eiy])/y, "X"],
  [/j/y, "X"],
  [/h/y, ""],
  [/v/y, "b"],
  [/w/y, "gu"],
  [/x/y, "ks"],
  [/z/y, "s"],
  [/ñ/y, "N"],
  [/y(?=[aeiou])/y, "y"],
  [/y/y, "i"],
];

const ENGLISH: Rules = [
  [/tion|sion/y, "Son"],
  [/eigh/y, "ei"],
  [/ough/y, "o"],
  [/augh/y, "o"],
  [/igh/y, "ai"],
  [/tch/y, "C"],
  [/dge/y, "J"],
  [/sch/y, "sk"],
  [/ch/y, "C"],
  [/sh/y, "S"],
  [/ph/y, "f"],
  [/th/y, "T"],
  [/wh/y, "u"],
  [/ck/y, "k"],
  [/(?<![a-z])kn/y, "n"],
  [/(?<![a-z])wr/y, "r"],
  [/(?<![a-z])ps/y, "s"],
  [/mb(?![a-z])/y, "m"],
  [/ng(?![a-z])/y, "N"],
  [/qu/y, "ku"],
  [/q/y, "k"],
  [/c(?=[eiy])/y, "s"],
  [/c/y, "k"],
  [/g(?=[eiy])/y, "J"],
  [/j/y, "J"],
  [/x/y, "ks"],
  [/z/y, "Z"],
  [/w/y, "u"],
  [/ee|ea|ie/y, "i"],
  [/oo/y, "u"],
  [/ou|ow/y, "au"],
  [/oa/y, "o"],
  [/ai|ay|ei|ey/y, "ei"],
  [/au|aw/y, "o"],
  [/(?<=[a-z]{2})e(?![a-z])/y, ""],
  [/(?<=[a-z]{2})es(?![a-z])/y, "s"],
  [/y(?=[aeiou])/y, "y"],
  [/y/y, "i"],
];

const LETTERS: Record<string, Record<string, string>> = {
  es: table(
    "a:a b:be c:ce d:de e:e f:efe g:ge h:ache i:i j:jota k:ka l:ele m:eme n:ene ñ:eñe o:o p:pe q:cu r:erre s:ese t:te u:u v:uve w:uvedoble x:equis y:igriega z:ceta",
  ),
  en: table(
    "a:ay b:bee c:cee d:dee e:ee f:ef g:jee h:aych i:igh j:jay k:kay l:el m:em n:en o:oh p:pee q:cue r:ar s:es t:tee u:yoo v:vee w:dubleyoo x:ex y:wigh z:zee",
  ),
};

function table(pairs: string): Record<string, string> {
  return Object.fromEntries(pairs.split(" ").map((pair) => pair.split(":") as [string, string]));
}
