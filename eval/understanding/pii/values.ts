import type { PiiType } from "../../../understanding/pii/types.ts";
import type { Random } from "./random.ts";
import type { Language } from "./types.ts";

/** A value and the groups in which people say it. */
export interface Value {
  type: PiiType;
  groups: string[];
}

const CONTROL = "TRWAGMYFPDXBNJZSQVHLCKE";
const CONSONANTS = "BCDFGHJKLMNPRSTVWXYZ";

function group(digits: string, sizes: number[]): string[] {
  let at = 0;
  const groups = sizes.map((size) => {
    at += size;
    return digits.slice(at - size, at);
  });
  return at < digits.length ? [...groups, digits.slice(at)] : groups;
}

function dni(random: Random): string[] {
  const number = random.chance(0.15) ? `0${random.digits(7)}` : `${random.whole(1, 9)}${random.digits(7)}`;
  const letter = CONTROL[Number(number) % 23] as string;
  return [...group(number, random.pick([[2, 3, 3], [8], [2, 2, 2, 2], [3, 3, 2], [4, 4]])), letter];
}

function nie(random: Random): string[] {
  const head = random.pick(["X", "Y", "Z"]);
  const number = random.digits(7);
  const letter = CONTROL[Number(`${"XYZ".indexOf(head)}${number}`) % 23] as string;
  return [head, ...group(number, random.pick([[1, 3, 3], [7], [3, 2, 2], [2, 2, 3]])), letter];
}

function cif(random: Random): string[] {
  const number = random.digits(7);
  let sum = 0;
  [...number].forEach((sign, place) => {
    const digit = Number(sign);
    const twice = digit * 2;
    sum += place % 2 ? digit : Math.floor(twice / 10) + (twice % 10);
  });
  const control = (10 - (sum % 10)) % 10;
  const head = random.pick([..."ABGFJ"]);
  return [head, ...group(number, random.pick([[7], [2, 3, 2], [3, 4]])), String(control)];
}

function withLuhn(head: string, length: number, random: Random): string {
  const body = head + random.digits(length - head.length - 1);
  let sum = 0;
  [...body].reverse().forEach((sign, place) => {
    const weighed = place % 2 ? Number(sign) : Number(sign) * 2;
    sum += weighed > 9 ? weighed - 9 : weighed;
  });
  return body + ((10 - (sum % 10)) % 10);
}

function ibanOf(country: string, body: string): string {
  let rest = 0;
  for (const sign of `${body}${country}00`) {
    const number = Number.parseInt(sign, 36);
    rest = (rest * (number > 9 ? 100 : 10) + number) % 97;
  }
  return `${country}${String(98 - rest).padStart(2, "0")}${body}`;
}

function nationalId(language: Language, random: Random): string[] {
  if (language === "es")
    return random.pick([
      () => dni(random),
      () => dni(random),
      () => dni(random),
      () => nie(random),
      () => cif(random),
      // Mexico, Chile, Colombia, Argentina.
      () => [random.letters(4, CONSONANTS), random.digits(6), random.letters(3, CONSONANTS)],
      () => group(String(random.whole(5_000_000, 24_999_999)), [2, 3, 3]).concat(random.pick([..."0123456789K"])),
      () => group(`1${random.digits(9)}`, random.pick([[1, 3, 3, 3], [4, 3, 3], [10]])),
      () => group(`${random.whole(20, 45)}${random.digits(6)}`, [2, 3, 3]),
    ])();
  return random.pick([
    () => [random.letters(2, "ABCEGHJKLMNPRSTWXYZ"), ...group(random.digits(6), [2, 2, 2]), random.letters(1, "ABCD")],
    () => group(`${random.whole(100, 899)}${random.digits(6)}`, [3, 2, 4]),
    () => group(`${random.whole(100, 899)}${random.digits(6)}`, [3, 2, 4]),
  ])();
}

function bankAccount(language: Language, random: Random): string[] {
  if (language === "es")
    return random.pick([
      () =>
        group(
          ibanOf("ES", random.digits(20)),
          random.pick([
            [4, 4, 4, 4, 4],
            [4, 4, 2, 2, 2, 2, 2, 2],
          ]),
        ),
      () => group(ibanOf("ES", random.digits(20)), [4, 4, 4, 4, 4]),
      () => group(random.digits(20), [4, 4, 2, 10]),
      () => group(random.digits(18), [3, 3, 4, 4, 4]),
      () => group(random.digits(10), [4, 3, 3]),
    ])();
  return random.pick([
    () => group(ibanOf("GB", random.letters(4, "BCLNRTY") + random.digits(14)), [2, 2, 4, 4, 4, 4, 2]),
    () => group(random.digits(8), random.pick([[4, 4], [2, 2, 2, 2], [8]])),
    () => group(random.digits(9), [3, 3, 3]),
    () => group(random.digits(10), [4, 3, 3]),
    () => group(random.digits(12), [4, 4, 4]),
  ])();
}

function card(random: Random): string[] {
  if (random.chance(0.15)) return group(withLuhn("37", 15, random), [4, 6, 5]);
  return group(
    withLuhn(random.pick(["4", "51", "52", "54", "55"]), 16, random),
    random.pick([
      [4, 4, 4, 4],
      [4, 4, 4, 4],
      [2, 2, 2, 2, 2, 2, 2, 2],
    ]),
  );
}

function phone(language: Language, random: Random): string[] {
  if (language === "es") {
    const local = random.pick(["6", "6", "7", "9", "8"]) + random.whole(1, 9) + random.digits(7);
    const sizes = random.pick([[3, 3, 3], [3, 2, 2, 2], [3, 2, 2, 2], [2, 3, 2, 2], [9]]);
    return random.pick([
      () => group(local, sizes),
      () => group(local, sizes),
      () => ["+34", ...group(local, sizes)],
      () => group(`55${random.digits(8)}`, [2, 4, 4]),
      () => ["+52", ...group(`33${random.digits(8)}`, [2, 2, 2, 2, 2])],
      () => group(`3${random.whole(0, 2)}${random.digits(8)}`, [3, 3, 4]),
    ])();
  }
  return random.pick([
    () => group(`${random.whole(2, 9)}${random.digits(2)}${random.whole(2, 9)}${random.digits(6)}`, [3, 3, 4]),
    () => group(`${random.whole(2, 9)}${random.digits(2)}${random.whole(2, 9)}${random.digits(6)}`, [3, 3, 2, 2]),
    () =>
      group(
        `07${random.digits(9)}`,
        random.pick([
          [5, 3, 3],
          [5, 6],
          [3, 2, 3, 3],
        ]),
      ),
    () => group(`0${random.pick(["20", "161", "131"])}${random.digits(8)}`.slice(0, 11), [3, 4, 4]),
    () => ["+44", ...group(`7${random.digits(9)}`, [4, 3, 3])],
    () => ["+1", ...group(`${random.whole(2, 9)}${random.digits(9)}`, [3, 3, 4])],
  ])();
}

function passport(language: Language, random: Random): string[] {
  if (language === "es")
    return random.pick([
      () => [random.letters(3), ...group(random.digits(6), random.pick([[3, 3], [2, 2, 2], [6]]))],
      () => [random.letters(2), ...group(random.digits(6), [2, 2, 2])],
      () => [random.letters(1, "GNE"), ...group(random.digits(8), [2, 2, 2, 2])],
    ])();
  return random.pick([
    () => group(random.digits(9), random.pick([[3, 3, 3], [9]])),
    () => [random.letters(1), ...group(random.digits(8), [4, 4])],
    () => [random.letters(2), ...group(random.digits(7), [3, 4])],
  ])();
}

function plate(language: Language, random: Random): string[] {
  if (language === "es")
    return random.pick([
      () => [random.digits(4), random.letters(3, CONSONANTS)],
      () => [random.digits(4), random.letters(3, CONSONANTS)],
      () => [...group(random.digits(4), [2, 2]), random.letters(3, CONSONANTS)],
      () => [random.pick(["M", "B", "SE", "V", "GR", "MA"]), random.digits(4), random.letters(2, CONSONANTS)],
      () => [random.letters(3), ...group(random.digits(4), [2, 2])],
    ])();
  return random.pick([
    () => [random.letters(2), random.digits(2), random.letters(3)],
    () => [random.letters(3), random.digits(4)],
    () => [String(random.whole(1, 9)), random.letters(3), random.digits(3)],
    () => [random.letters(1), random.digits(3), random.letters(3)],
  ])();
}

const NAMES = {
  es: ["maria", "jose", "antonio", "carmen", "lucia", "pablo", "marta", "javier", "ines", "sergio", "rocio", "alvaro"],
  en: ["james", "linda", "karen", "steve", "olivia", "peter", "hannah", "mike", "susan", "george", "emma", "tom"],
};
const SURNAMES = {
  es: ["garcia", "lopez", "martin", "ruiz", "torres", "vega", "ortega", "molina", "navarro", "serrano", "campos"],
  en: ["smith", "jones", "brown", "walker", "hughes", "carter", "baker", "turner", "cooper", "wright", "murphy"],
};
const DOMAINS = {
  es: [
    "gmail.com",
    "hotmail.com",
    "hotmail.es",
    "yahoo.es",
    "outlook.com",
    "telefonica.net",
    "icloud.com",
    "talleresvega.es",
    "yahoo.com.mx",
    "protonmail.com",
    "uab.edu",
  ],
  en: [
    "gmail.com",
    "hotmail.co.uk",
    "yahoo.com",
    "outlook.com",
    "icloud.com",
    "btinternet.com",
    "aol.com",
    "walkerplumbing.com",
    "comcast.net",
    "protonmail.com",
    "stateu.edu",
  ],
};

/** Local part and domain; words stay words, the rest is spelled out by who dictates it. */
function email(language: Language, random: Random): string[] {
  const name = random.pick(NAMES[language]);
  const surname = random.pick(SURNAMES[language]);
  const number = random.pick([random.digits(2), String(random.whole(1950, 2005)), random.digits(1), random.digits(3)]);
  const local = random.pick([
    `${name}.${surname}`,
    `${name}.${surname}${number}`,
    `${name}_${surname}`,
    `${name}${surname}`,
    `${name}${number}`,
    `${name[0]}${surname}`,
    `${surname}.${name[0]}`,
    `${name}-${surname}${number}`,
    `${surname}_${number}`,
    `${name[0]}.${surname}.${random.pick(SURNAMES[language])}`,
  ]);
  return [local, "@", random.pick(DOMAINS[language])];
}

function username(language: Language, random: Random): string[] {
  const name = random.pick(NAMES[language]);
  const surname = random.pick(SURNAMES[language]);
  return [
    random.pick([
      `${name}${random.digits(2)}`,
      `${name[0]}${surname}${random.digits(2)}`,
      `${name}_${surname}`,
      `${surname}.${name}`,
      `${name}${surname}`,
      `${random.letters(2).toLowerCase()}${random.digits(4)}`,
      `${surname}${random.whole(1960, 2004)}`,
    ]),
  ];
}

const SECRETS = {
  es: ["luna", "perro", "sol", "barcelona", "tigre", "casa", "verano", "rosa", "madrid", "pelota"],
  en: ["sunshine", "tiger", "bluebird", "summer", "dragon", "rover", "orange", "monkey", "liverpool", "winter"],
};

function password(language: Language, random: Random): string[] {
  const word = random.pick(SECRETS[language]);
  return [
    random.pick([
      `${word}${random.digits(2)}`,
      `${word}${random.digits(4)}`,
      random.digits(4),
      random.digits(6),
      `${word}_${random.digits(3)}`,
      `${random.letters(3)}${random.digits(3)}`,
      `${random.letters(2)}${random.digits(2)}${random.letters(2)}`,
    ]),
  ];
}

/** Day, month and year. */
function birth(random: Random): string[] {
  return [String(random.whole(1, 28)), String(random.whole(1, 12)), String(random.whole(1935, 2006))];
}

export const DETERMINISTIC = [
  "NATIONAL_ID",
  "BANK_ACCOUNT",
  "CARD",
  "PASSPORT",
  "LICENSE_PLATE",
  "PHONE",
  "EMAIL",
  "DATE_OF_BIRTH",
  "USERNAME",
  "PASSWORD",
] as const satisfies readonly PiiType[];

export type Deterministic = (typeof DETERMINISTIC)[number];

const MAKE: Record<Deterministic, (language: Language, random: Random) => string[]> = {
  NATIONAL_ID: nationalId,
  BANK_ACCOUNT: bankAccount,
  CARD: (_, random) => card(random),
  PASSPORT: passport,
  LICENSE_PLATE: plate,
  PHONE: phone,
  EMAIL: email,
  DATE_OF_BIRTH: (_, random) => birth(random),
  USERNAME: username,
  PASSWORD: password,
};

export function makeValue(type: Deterministic, language: Language, random: Random): Value {
  return { type, groups: MAKE[type](language, random) };
}
