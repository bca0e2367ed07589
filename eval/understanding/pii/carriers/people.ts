import type { Language, Split } from "../types.ts";

/** Turns with a name or an address in `{}`; NAME and ADDRESS say which by the list they are in. */
export const PEOPLE: Record<Language, Record<Exclude<Split, "wider">, { PERSON: string[][]; ADDRESS: string[][] }>> = {
  es: {
    development: {
      PERSON: [
        ["A: ¿Con quién tengo el gusto de hablar?", "C: Con {}."],
        ["C: Buenos días, me llamo {} y tengo un problema con el router."],
        ["A: Le atiende {}, ¿en qué puedo ayudarle?"],
        ["C: El titular es mi marido, {}."],
      ],
      ADDRESS: [
        ["A: ¿Me confirma la dirección?", "C: Sí, {}."],
        ["C: Vivo en {} desde hace dos años."],
        ["A: ¿Dónde se lo entregamos?", "C: En {}."],
      ],
    },
    "held-out": {
      PERSON: [
        ["A: ¿Su nombre completo, por favor?", "C: {}."],
        ["C: Soy {}, llamé ayer por la factura."],
        ["A: Mi compañera {} le dejó una nota."],
        ["C: Póngalo a nombre de {}, si es posible."],
      ],
      ADDRESS: [
        ["A: ¿A qué domicilio mandamos al técnico?", "C: A {}."],
        ["C: Nos hemos mudado a {} este mes."],
        ["A: La dirección que consta es {}, ¿es así?", "C: Así es."],
      ],
    },
  },
  en: {
    development: {
      PERSON: [
        ["A: Who am I speaking with?", "C: This is {}."],
        ["C: Hi, my name is {} and my router is broken."],
        ["A: You're through to {}, how can I help?"],
        ["C: The account is under my husband, {}."],
      ],
      ADDRESS: [
        ["A: Can you confirm the address?", "C: Yes, {}."],
        ["C: I live at {} since two years."],
        ["A: Where shall we deliver it?", "C: To {}."],
      ],
    },
    "held-out": {
      PERSON: [
        ["A: Could I take your full name?", "C: {}."],
        ["C: It's {}, I called yesterday about the bill."],
        ["A: My colleague {} left you a note."],
        ["C: Put it in the name of {}, please."],
      ],
      ADDRESS: [
        ["A: Where should the engineer go?", "C: To {}."],
        ["C: We moved to {} this month."],
        ["A: The address on file is {}, correct?", "C: Correct."],
      ],
    },
  },
};

export const FIRST_NAMES: Record<Language, string[]> = {
  es: [
    "María",
    "José",
    "Carmen",
    "Lucía",
    "Javier",
    "Rocío",
    "Álvaro",
    "Inés",
    "Sergio",
    "Ximena",
    "Facundo",
    "Yolanda",
  ],
  en: ["James", "Linda", "Karen", "Olivia", "Hannah", "Mike", "Susan", "George", "Priya", "Emma", "Liam", "Chloe"],
};

export const SURNAMES: Record<Language, string[]> = {
  es: ["García", "López", "Ruiz", "Ortega", "Molina", "Serrano", "Campos", "Quispe", "Etxeberria", "Vidal"],
  en: ["Smith", "Jones", "Walker", "Hughes", "Carter", "Baker", "Murphy", "Okafor", "Nguyen", "Patel"],
};

export const STREETS: Record<Language, string[]> = {
  es: [
    "calle Mayor",
    "avenida de la Constitución",
    "plaza del Carmen",
    "paseo de la Habana",
    "calle San Blas",
    "ronda de Toledo",
  ],
  en: ["Oak Street", "Maple Avenue", "Church Lane", "Station Road", "Victoria Drive", "Mill Road"],
};

export const TOWNS: Record<Language, string[]> = {
  es: ["Madrid", "Sevilla", "Alcobendas", "Cuenca", "Rosario"],
  en: ["Leeds", "Springfield", "Bristol", "Austin", "Dayton"],
};
