import { Random } from "../../random.ts";
import type { MakeSet } from "./build.ts";
import { castFor } from "./calls/cast.ts";
import { LANGUAGES, type Language } from "./calls/language.ts";
import { produced } from "./calls/play.ts";
import { type Script, writeScript } from "./calls/script.ts";
import { kept, type Wanted } from "./keep.ts";

/** A language and split: calls that name the terms, and calls that do not. */
const WITH = 10;
const WITHOUT = 10;

/**
 * Products and surnames that no model has seen often, with how they come up. The two splits share none of them. A term
 * is written as a client would list it, and is pronounced as it is written.
 */
const TERMS: Record<Language, { products: string[]; surnames: string[]; says: string[]; asks: string[] }> = {
  en: {
    products: [
      "Zentravia",
      "Lumiqor",
      "Brightfolio",
      "Quantelo",
      "Veridane",
      "Noxaflow",
      "Calivento",
      "Torvex",
      "Meridine",
      "Plexora",
      "Duratherm",
      "Ostrava Plus",
    ],
    surnames: [
      "Haldane",
      "Ostrowski",
      "Abernathy",
      "Quilligan",
      "Vandermeer",
      "Thistlewood",
      "Okonjo",
      "Featherstone",
      "Zielinski",
      "Marchbanks",
      "Delacroix",
      "Wolstenholme",
    ],
    says: [
      "It is about the {product} that I bought from you.",
      "The {product} in my living room makes a strange noise.",
    ],
    asks: [
      "My colleague {surname} looks after the {product}, may I ask him?",
      "Did you speak to Mister {surname} about it?",
    ],
  },
  es: {
    products: [
      "Zentravia",
      "Lumicor",
      "Telfibra",
      "Cuantelo",
      "Veridana",
      "Noxaflú",
      "Calivento",
      "Torvex",
      "Meridina",
      "Plexora",
      "Duraterm",
      "Ostrava",
    ],
    surnames: [
      "Echeverría",
      "Goikoetxea",
      "Bustamante",
      "Urdangarín",
      "Villavicencio",
      "Zubizarreta",
      "Arizmendi",
      "Larrazábal",
      "Monteagudo",
      "Etxeberri",
      "Fuentealba",
      "Garmendia",
    ],
    says: ["Es por el {product} que les compré.", "El {product} que tengo en el salón hace un ruido raro."],
    asks: [
      "Mi compañero {surname} lleva lo del {product}, ¿le pregunto?",
      "¿Ha hablado con el señor {surname} de esto?",
    ],
  },
};

/** Calls with a list of terms: half of them name some (condition `terms`), half none (condition `no-terms`). */
export const vocabulary: MakeSet = (making) => kept(vocabularyCalls(WITH, WITHOUT), making);

export function vocabularyCalls(withTerms: number, without: number): Wanted[] {
  return LANGUAGES.flatMap((language) =>
    (["development", "held-out"] as const).flatMap((split) =>
      Array.from({ length: withTerms + without }, (_, i) => {
        const named = i < withTerms;
        const id = `vocabulary-${language}-${split}-${named ? "terms" : "no-terms"}-${i + 1}`;
        const random = new Random(id);
        const { products, surnames, says, asks } = TERMS[language];
        const mine = (terms: string[]) => terms.filter((_, k) => k % 2 === (split === "development" ? 0 : 1));
        const list = [...mine(products), ...mine(surnames)];
        const script = writeScript({ kind: "inbound", language, split, length: "full", random });
        const fill = (text: string) =>
          text
            .replaceAll("{product}", () => random.pick(mine(products)))
            .replaceAll("{surname}", () => random.pick(mine(surnames)));
        const told = named ? mentioned(script, says.map(fill), asks.map(fill)) : script;
        return produced({
          id,
          set: "vocabulary",
          script: told,
          cast: castFor(told, split, i % 2 === 0, random),
          narrow: i % 4 > 1,
          facts: { vocabulary: list, condition: named ? "terms" : "no-terms" },
        });
      }),
    ),
  );
}

/** The customer says theirs after what the call is about, the agent asks theirs before the end. */
function mentioned(script: Script, says: string[], asks: string[]): Script {
  const line = (speaker: string) => (text: string) => ({ speaker, text, pause: 0.4 });
  const [agent, customer] = ["0", "1"];
  const lines = [...script.lines];
  lines.splice(lines.length - 2, 0, ...asks.map(line(agent)));
  lines.splice(2, 0, ...says.map(line(customer)));
  return { ...script, lines };
}
