import type { Bit } from "../types.ts";
import { sayBreath } from "./digits.ts";
import { sayLetter } from "./letters.ts";
import { type Manner, otherManner } from "./manner.ts";
import { bitsOf, plain, slipsOf } from "./value.ts";

/** A local part by its words, signs and numbers, and a domain. */
export interface Address {
  local: readonly string[];
  domain: string;
}

const FIRST = {
  es: "ana luis marisol ignacio yolanda beatriz gonzalo nuria ramon jordi iker mercedes fede pilar jesus paco noelia guadalupe".split(
    " ",
  ),
  en: "dave kelly brandon joyce meghan zachary ruth kevin tracy caitlin nate doris gwen tyler jill trevor".split(" "),
};
const LAST = {
  es: "ibarra quintana belmonte cifuentes aranda zapata lozano echeverria puig castaño benitez del_valle de_la_cruz fuentes rincon".split(
    " ",
  ),
  en: "haskell obrien mcdonald whitaker fitzgerald lowe nguyen prescott vaughn barlow shah kowalski ferris doyle".split(
    " ",
  ),
};
const WORDS = {
  es: "info ventas contacto administracion pedidos lobo_azul mi_casita taller_mecanico la_gata flor_de_lis peluqueria_rosa".split(
    " ",
  ),
  en: "info sales contact office blue_wolf happy_feet the_green_door soccer_mom book_worm front_desk".split(" "),
};
const DOMAINS = {
  es: "gmail.com gmail.com hotmail.com hotmail.es yahoo.es outlook.es icloud.com telefonica.net gmail.com yahoo.com.mx live.com.ar correos_ibarra.es despacho_fuentes.com panaderia_lozano.es ono.com uned.es gob.mx".split(
    " ",
  ),
  en: "gmail.com gmail.com hotmail.com yahoo.com outlook.com icloud.com aol.com hotmail.co.uk btinternet.com live.com verizon.net lowe_and_sons.com barlow_dental.co.uk ferris_roofing.net cs.state.edu nhs.net".split(
    " ",
  ),
};

export function makeAddress({ language, random }: Manner): Address {
  const [first, last] = [random.pick(FIRST[language]), random.pick(LAST[language])];
  const number = random.pick([random.digits(2), String(random.whole(1950, 2005)), random.digits(3), random.digits(1)]);
  const local = random.pick([
    () => [first, ".", last],
    () => [first, last],
    () => [first, last, number],
    () => [first, number],
    () => [first.slice(0, 1), last],
    () => [first.slice(0, 1), ".", last, number],
    () => [last, "_", first],
    () => [first, "_", last, number],
    () => [first, "-", last],
    () => [random.pick(WORDS[language])],
    () => [random.pick(WORDS[language]), number],
    () => [first, last, "_", number],
  ])();
  return { local, domain: random.pick(DOMAINS[language]) };
}

export function sayAddress(address: Address, manner: Manner): Bit[] {
  const { random, phrases, language } = manner;
  const { local, domain } = address;
  const together = local.join("").replaceAll("_", (_, at) => (at > 0 && local.includes("_") ? "_" : ""));
  if (random.chance(0.12)) return bitsOf(`${ascii(together)}@${ascii(domain.replaceAll("_", ""))}`);
  const at = random.pick(phrases("mail at"));
  // "maria82 arroba gmail.com": recognition writes half of it.
  const half = random.chance(0.15);
  const said = half ? bitsOf(ascii(together)) : sayLocal(local, manner);
  const note = () => (random.chance(0.12) ? plain(random.pick(phrases("mail notes"))) : []);
  const pause: Bit[] = random.chance(manner.turns)
    ? [{ other: random.chance(0.5) ? plain(random.pick(phrases("nod"))) : sayLocal(local, otherManner(manner)) }]
    : random.chance(0.2)
      ? plain(",")
      : [];
  const sign = random.chance(0.08) ? "@" : at;
  const end = random.chance(0.1) ? note() : [];
  return [
    ...note(),
    ...said,
    ...pause,
    ...bitsOf(sign),
    ...sayDomain(domain, manner),
    ...end,
    ...spelling(local, manner, language),
  ];
}

const ascii = (text: string) => text.normalize("NFD").replaceAll(/\p{M}/gu, "");

function sayLocal(local: readonly string[], manner: Manner): Bit[] {
  const { random, phrases } = manner;
  const names: Record<string, string> = { ".": "mail dot", _: "mail underscore", "-": "mail dash" };
  const slipped = random.chance(manner.slip) ? random.below(local.length) : -1;
  return local.flatMap((part, index) => {
    const name = names[part];
    if (name) return bitsOf(random.chance(0.05) ? part : random.pick(phrases(name)));
    if (/^\d/u.test(part)) return bitsOf(year(part, manner));
    if (part.length === 1) return bitsOf(sayLetter(part.toUpperCase(), manner));
    const wrong =
      index === slipped
        ? [...slipsOf(random.pick(FIRST[manner.language])), ...plain(`, ${random.pick(phrases("slip"))} ,`)]
        : [];
    return [...wrong, ...bitsOf(word(part, manner))];
  });
}

const year = (digits: string, manner: Manner) =>
  digits.length === 4
    ? `${sayBreath(digits.slice(0, 2), manner)} ${sayBreath(digits.slice(2), manner)}`
    : sayBreath(digits, manner);

function word(part: string, manner: Manner): string {
  const { random } = manner;
  const text = part.replaceAll("_", " ");
  if (!text.includes(" ") && random.chance(0.1))
    return [...ascii(text)].map((one) => sayLetter(one.toUpperCase(), manner)).join(" ");
  return random.chance(0.15) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}

function sayDomain(domain: string, manner: Manner): Bit[] {
  const { random, phrases } = manner;
  if (random.chance(0.2)) return bitsOf(domain.replaceAll("_", ""));
  const parts = domain.split(".");
  return parts.flatMap((part, at) => [
    ...(at > 0 ? bitsOf(random.pick(phrases("mail dot"))) : []),
    ...bitsOf(random.chance(0.7) ? part.replaceAll("_", " ") : part.replaceAll("_", "")),
  ]);
}

/** "…, eso es, erre i ene ce o ene". */
function spelling(local: readonly string[], manner: Manner, language: "es" | "en"): Bit[] {
  const hard = local.find((part) => part.length > 4 && part.length < 9 && !/[_\d]/u.test(part));
  if (!hard || !manner.random.chance(0.06)) return [];
  const letters = [...ascii(hard)].map((one) => sayLetter(one.toUpperCase(), manner)).join(" ");
  return [
    ...plain(`, ${hard}`).map((bit, at) => (at > 0 ? { ...bit, value: true } : bit)),
    ...plain(language === "es" ? "con" : "that's"),
    ...bitsOf(letters),
  ];
}
