import type { Dictation, Half } from "../dictations/read.ts";
import { Random } from "../random.ts";
import { Script } from "../script.ts";
import type { Bit, Gold, Language } from "../types.ts";
import { makeValue } from "../values.ts";
import { makeBirthDate, sayBirthDate } from "./birth-date.ts";
import { makeAddress, sayAddress } from "./email.ts";
import { fillHarmless } from "./harmless.ts";
import { type Manner, mannerOf, otherManner } from "./manner.ts";
import { type Phrases, phrasesOf } from "./phrases.ts";
import { filled, plain, sayValue } from "./value.ts";

const TYPES = [
  "PHONE",
  "NATIONAL_ID",
  "BANK_ACCOUNT",
  "CARD",
  "PASSPORT",
  "LICENSE_PLATE",
  "EMAIL",
  "DATE_OF_BIRTH",
] as const;
type Type = (typeof TYPES)[number];

/** Values of a call, and exchanges about numbers that are nobody's. */
const VALUES = 3;
const HARMLESS = 6;

/** Calls of one half of the phrases: another person with other habits in each. The same seed gives the same calls. */
export async function makeTalk(language: Language, half: Half, calls: number, seed: number): Promise<Dictation[]> {
  const phrases = await phrasesOf(language, half);
  return Array.from({ length: calls }, (_, index) => {
    const random = new Random(`${seed} ${language} ${half} ${index}`);
    return makeCall(`${language}-${half}-${index}`, mannerOf(language, half, phrases, random));
  });
}

function makeCall(id: string, manner: Manner): Dictation {
  const { random, phrases, half, language } = manner;
  const script = new Script(random.chance(0.3));
  const types = random.shuffle(TYPES).slice(0, VALUES);
  for (const type of random.shuffle([...types, ...Array.from({ length: HARMLESS }, () => null)])) {
    if (type) exchange(script, type, manner);
    else turns(script, fillHarmless(random.pick(phrases("harmless")), manner), () => []);
  }
  return { id, call: { language, utterances: script.utterances }, gold: script.gold, half };
}

/** What each side says, from "A: … | C: …"; a turn without a side is the customer's. */
function turns(script: Script, template: string, make: () => Bit[], gold?: Gold, side = "C"): void {
  for (const turn of template.split(" | ")) {
    const { who = side, said = "" } = /^(?:(?<who>[AC]): )?(?<said>.*)$/u.exec(turn)?.groups ?? {};
    script.turn(who, filled(said, make), gold);
  }
}

/** Somebody asks for a value, or gives it unasked, or reads it out to be confirmed. */
function exchange(script: Script, type: Type, manner: Manner): void {
  const { random, phrases } = manner;
  const name = nameOf(type, phrases, random);
  const say = sayerOf(type, manner);
  const gold = script.value(type, say.value);
  const own = () => say.as(manner);
  const named = (section: string, side = "C") => withName(random.pick(phrases(section)), name, side, manner.language);
  const way = random.next();
  if (way < 0.2) turns(script, named("state"), own, gold);
  else if (way < 0.3) {
    const [first = "", ...rest] = named("verify", "A").split(" | ");
    turns(script, first, () => say.as(otherManner(manner)), gold, "A");
    for (const turn of rest) turns(script, turn, () => say.as(otherManner(manner)), gold);
  } else {
    const specific = random.chance(0.25);
    script.turn("A", plain(specific ? random.pick(phrases(`ask ${type}`)) : named("ask", "A")));
    if (random.chance(0.1)) {
      const [wait = "", go = ""] = random.pick(phrases("waits")).split(" | ");
      script.turn("C", plain(wait));
      script.turn("A", plain(go));
    }
    turns(script, way < 0.4 ? named("after") : random.pick(phrases("give")), own, gold);
  }
  if (random.chance(0.08)) {
    script.turn("A", plain(random.pick(phrases("again"))));
    turns(script, random.pick(phrases("give")), own, gold);
  }
  if (random.chance(0.25)) {
    turns(script, random.pick(phrases("read back")), () => say.as(otherManner(manner)), gold, "A");
    script.turn("C", plain(random.pick(phrases("agreed"))));
  } else if (random.chance(0.5)) script.turn("A", plain(random.pick(phrases("after turn"))));
}

interface Sayer {
  value: string;
  as(manner: Manner): Bit[];
}

function sayerOf(type: Type, manner: Manner): Sayer {
  const { random, language } = manner;
  if (type === "EMAIL") {
    const address = makeAddress(manner);
    return { value: `${address.local.join("")}@${address.domain}`, as: (one) => sayAddress(address, one) };
  }
  if (type === "DATE_OF_BIRTH") {
    const date = makeBirthDate(random);
    return { value: `${date.day}/${date.month}/${date.year}`, as: (one) => sayBirthDate(date, one) };
  }
  const { groups } = makeValue(type, language, random);
  return { value: groups.join(""), as: (one) => sayValue(groups, one) };
}

interface Name {
  feminine: boolean;
  text: string;
}

function nameOf(type: Type, phrases: Phrases, random: Random): Name {
  const name = random.pick(phrases(`names ${type}`));
  const { gender, text } = /^(?:(?<gender>[mf]) )?(?<text>.*)$/u.exec(name)?.groups ?? {};
  return { feminine: gender === "f", text: text ?? name };
}

function withName(template: string, { text, feminine }: Name, side: string, language: Language): string {
  return template
    .split(" | ")
    .map((turn) => {
      const agent = (/^(?<who>[AC]): /u.exec(turn)?.groups?.who ?? side) === "A";
      const own = language === "es" ? (agent ? "su" : "mi") : agent ? "your" : "my";
      const determined = /^(?:my|your)(?!\p{L})/u.test(text) ? "" : `${own} `;
      const article = language === "es" ? (feminine ? "la " : "el ") : "the ";
      const put = turn
        .replaceAll("{S}", determined + text)
        .replaceAll("{N}", article + text)
        .replaceAll("{n}", text);
      return put.replace(/^((?:[AC]: )?[¿]?)(\p{Ll})/u, (_, lead: string, first: string) => lead + first.toUpperCase());
    })
    .join(" | ");
}
