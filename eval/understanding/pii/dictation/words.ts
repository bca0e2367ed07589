import type { Language, Split } from "../types.ts";
import { englishDigit, englishNumber } from "./numbers-en.ts";
import { spanishDigit, spanishNumber } from "./numbers-es.ts";

/** What a language's speakers say besides the value. The held-out speakers have words of their own. */
export interface Words {
  digit(sign: string): string;
  number(number: number): string;
  double: string[];
  triple: string[];
  letter: Record<string, string[]>;
  /** "be de Burgos", "B as in boy". */
  like(letter: string, name: string): string[];
  code: Record<string, string>;
  fillers: Record<Split, string[]>;
  corrections: Record<Split, string[]>;
  connectors: Record<Split, string[]>;
  backchannels: Record<Split, string[]>;
  symbol: Record<string, string[]>;
}

const NATO = Object.fromEntries(
  "Alpha Bravo Charlie Delta Echo Foxtrot Golf Hotel India Juliet Kilo Lima Mike November Oscar Papa Quebec Romeo Sierra Tango Uniform Victor Whiskey Xray Yankee Zulu"
    .split(" ")
    .map((word) => [word[0] as string, word]),
);

const SPANISH_LIKE: Record<string, string[]> = {
  A: ["Alicante", "avión", "Ana"],
  B: ["Barcelona", "burro"],
  C: ["casa", "Cádiz"],
  D: ["dedo", "Dinamarca"],
  E: ["España", "elefante"],
  F: ["Francia", "foca"],
  G: ["gato", "Granada"],
  H: ["Huelva", "huevo"],
  I: ["Italia", "isla"],
  J: ["Jaén", "jamón"],
  K: ["kilo"],
  L: ["Lugo", "luna"],
  M: ["Madrid", "mamá"],
  N: ["Navarra", "nariz"],
  O: ["Oviedo", "oso"],
  P: ["papá", "Portugal"],
  Q: ["queso"],
  R: ["ratón", "Roma"],
  S: ["Sevilla", "sol"],
  T: ["Toledo", "Tarragona"],
  U: ["uva"],
  V: ["Valencia", "vaca"],
  W: ["Washington", "wifi"],
  X: ["xilófono"],
  Y: ["yegua", "yate"],
  Z: ["Zaragoza", "zapato"],
};

const ENGLISH_LIKE: Record<string, string[]> = {
  A: ["apple", "Adam"],
  B: ["boy", "Bob"],
  C: ["cat", "Charlie"],
  D: ["dog", "David"],
  E: ["egg", "Edward"],
  F: ["Frank", "fox"],
  G: ["George", "golf"],
  H: ["Harry", "hotel"],
  I: ["ice", "India"],
  J: ["John", "jam"],
  K: ["king", "kite"],
  L: ["Larry", "lemon"],
  M: ["Mary", "mother"],
  N: ["Nancy", "nose"],
  O: ["orange", "ocean"],
  P: ["Peter", "papa"],
  Q: ["queen"],
  R: ["Robert", "red"],
  S: ["Sam", "sugar"],
  T: ["Tom", "tango"],
  U: ["umbrella"],
  V: ["Victor", "van"],
  W: ["William", "water"],
  X: ["x-ray"],
  Y: ["yellow", "yankee"],
  Z: ["zebra", "zoo"],
};

const SPANISH_NAMES: Record<string, string[]> = {
  A: ["a"],
  B: ["be", "be alta", "be larga"],
  C: ["ce"],
  D: ["de"],
  E: ["e"],
  F: ["efe"],
  G: ["ge"],
  H: ["hache"],
  I: ["i", "i latina"],
  J: ["jota"],
  K: ["ka"],
  L: ["ele"],
  M: ["eme"],
  N: ["ene"],
  O: ["o"],
  P: ["pe"],
  Q: ["cu"],
  R: ["erre"],
  S: ["ese"],
  T: ["te"],
  U: ["u"],
  V: ["uve", "ve corta", "ve chica"],
  W: ["uve doble", "doble uve", "doble ve"],
  X: ["equis"],
  Y: ["i griega", "ye"],
  Z: ["zeta", "ceta"],
};

const ENGLISH_NAMES: Record<string, string[]> = {
  ...Object.fromEntries([..."ABCDEFGHIJKLMNOPQRSTUVWXY"].map((letter) => [letter, [letter]])),
  A: ["A", "ay"],
  B: ["B", "bee"],
  C: ["C", "see"],
  H: ["H", "aitch"],
  J: ["J", "jay"],
  K: ["K", "kay"],
  Z: ["zee", "zed", "Z"],
};

export const WORDS: Record<Language, Words> = {
  es: {
    digit: spanishDigit,
    number: spanishNumber,
    double: ["doble"],
    triple: ["triple", "tres veces"],
    letter: SPANISH_NAMES,
    like: (letter, name) => (SPANISH_LIKE[letter] ?? [letter]).map((word) => `${name} de ${word}`),
    code: NATO,
    fillers: {
      development: ["eh,", "a ver,", "mmm,", "espere,", "esto,", "un segundo,"],
      wider: ["ehm,", "bueno,", "a ver que lo vea,", "es que no veo bien,", "mire,", "vale,", "ya,"],
      "held-out": ["este,", "pues,", "déjeme ver,", "um,", "o sea,", "un momentito,", "ay,"],
    },
    corrections: {
      development: ["no, perdón,", "perdón,", "no, digo,", "espere, no,"],
      wider: ["perdona, no,", "no, espera,", "uy, perdón,", "me he colado,", "no no,", "digo,"],
      "held-out": ["ay no, me he equivocado,", "uy, no,", "miento,", "rectifico,", "disculpe,", "no, no, es"],
    },
    connectors: {
      development: ["y", "luego", "y después"],
      wider: ["luego", "y después un", "y", "ahora"],
      "held-out": ["y luego", "y ahora", "seguido de", "más"],
    },
    backchannels: {
      development: ["Sí.", "Ajá.", "Vale, siga.", "Sí, dígame.", "Mmm.", "De acuerdo."],
      wider: ["Okey.", "Sí, le sigo.", "Muy bien.", "Ya.", "Le escucho.", "Claro.", "Perfecto, ¿qué más?"],
      "held-out": [
        "Ujum.",
        "Ok, continúe.",
        "Adelante.",
        "Perfecto, ¿y después?",
        "Sí, le sigo.",
        "Anotado, ¿qué más?",
      ],
    },
    symbol: {
      "@": ["arroba"],
      ".": ["punto"],
      _: ["guion bajo", "barra baja", "guión bajo"],
      "-": ["guion", "guión medio"],
      "+": ["más"],
    },
  },
  en: {
    digit: englishDigit,
    number: englishNumber,
    double: ["double"],
    triple: ["triple"],
    letter: ENGLISH_NAMES,
    like: (letter, name) =>
      (ENGLISH_LIKE[letter] ?? [letter]).flatMap((word) => [
        `${name} as in ${word}`,
        `${name} for ${word}`,
        `${name} like ${word}`,
      ]),
    code: NATO,
    fillers: {
      development: ["uh,", "um,", "let me see,", "hold on,", "er,"],
      wider: ["so,", "well,", "hang on,", "what is it,", "uhm,", "bear with me,"],
      "held-out": ["erm,", "you know,", "one sec,", "like,", "hmm,", "let's see,"],
    },
    corrections: {
      development: ["no, sorry,", "sorry,", "I mean", "no wait,"],
      wider: ["oh no,", "wait, sorry,", "I beg your pardon,", "no, it's", "I tell a lie,"],
      "held-out": ["oops,", "scratch that,", "correction,", "my mistake,", "actually,", "no no,"],
    },
    connectors: {
      development: ["and", "then", "and then"],
      wider: ["then a", "and", "and next", "after that"],
      "held-out": ["followed by", "and after that", "plus", "next"],
    },
    backchannels: {
      development: ["Uh-huh.", "Okay, go on.", "Yes.", "Got it.", "Mm-hmm.", "Right."],
      wider: ["Carry on.", "Mm.", "Yeah.", "Sure, go on.", "Alright.", "Great, and?", "Perfect."],
      "held-out": ["Yep, keep going.", "Sure.", "Okay, and then?", "I'm with you.", "Go ahead.", "Alright, next?"],
    },
    symbol: { "@": ["at"], ".": ["dot"], _: ["underscore"], "-": ["dash", "hyphen"], "+": ["plus"] },
  },
};
