import test from "ava";
import { makeCalls } from "../../../eval/understanding/pii/calls.ts";
import { tally } from "../../../eval/understanding/pii/measure.ts";
import { DETERMINISTIC } from "../../../eval/understanding/pii/values.ts";
import { developmentDictations } from "../../../eval/understanding/pii/written/development.ts";
import { readDictations } from "../../../eval/understanding/pii/written/read.ts";
import { recognise } from "../../../understanding/pii/recognise.ts";
import { redact } from "../../../understanding/pii/redact.ts";

function redacted(language: string, ...texts: string[]): string[] {
  const utterances = texts.map((text, index) => ({
    speaker: String(index % 2),
    speakerRole: null,
    text,
    start: index,
    end: index + 1,
  }));
  const call = { language, utterances };
  return redact(call, recognise(call), "entity_name").utterances_redacted.map(({ text }) => text);
}

const SPOKEN: [what: string, language: string, turns: string[], expected: string[]][] = [
  ["a DNI in digits", "es", ["Mi DNI es 12345678Z."], ["Mi DNI es [NATIONAL_ID]."]],
  [
    "a DNI in words, its letter spelled",
    "es",
    ["Mi DNI es doce, treinta y cuatro, cincuenta y seis, siete ocho, zeta de Zaragoza."],
    ["Mi DNI es [NATIONAL_ID]."],
  ],
  [
    "a card over turns, what the other side says in between stays",
    "en",
    [
      "What's the card number?",
      "Four one one one",
      "Okay, go on.",
      "double one, eleven, 1111",
      "Mm-hmm.",
      "1 1 one 1.",
    ],
    ["What's the card number?", "[CARD]", "Okay, go on.", "[CARD]", "Mm-hmm.", "[CARD]."],
  ],
  [
    "a correction",
    "es",
    ["¿Un teléfono?", "El seis uno dos, tres cuatro cinco, no, perdón, tres cuatro seis, siete ocho nueve."],
    ["¿Un teléfono?", "El [PHONE]."],
  ],
  [
    "an address for mail",
    "es",
    ["Mi correo es maría punto garcía ochenta y dos arroba gmail punto com, gracias."],
    ["Mi correo es [EMAIL], gracias."],
  ],
  [
    "a birth date over turns",
    "es",
    ["¿Fecha de nacimiento?", "El once.", "Ajá.", "De octubre.", "¿De qué año?", "Del sesenta y tres."],
    [
      "¿Fecha de nacimiento?",
      "El [DATE_OF_BIRTH].",
      "Ajá.",
      "De [DATE_OF_BIRTH].",
      "¿De qué año?",
      "Del [DATE_OF_BIRTH].",
    ],
  ],
  [
    "a birth date whose year comes later",
    "en",
    ["Date of birth?", "twelfth of May", "okay", "nineteen eighty four"],
    ["Date of birth?", "[DATE_OF_BIRTH]", "okay", "[DATE_OF_BIRTH]"],
  ],
  [
    "a value of which a word or two is said in each turn, and what is misheard of it",
    "es",
    [
      "¿Me dice su tarjeta?",
      "Vale, 54",
      "¿Y qué más?",
      "31, 53",
      "noventa y seis",
      "No, 53 76",
      "Siga.",
      "6635 31",
      "Hasta ahí bien.",
      "siete.",
      "¿Y?",
      "04, y ya está.",
    ],
    [
      "¿Me dice su tarjeta?",
      "Vale, [CARD]",
      "¿Y qué más?",
      "[CARD]",
      "[CARD]",
      "No, [CARD]",
      "Siga.",
      "[CARD]",
      "Hasta ahí bien.",
      "[CARD].",
      "¿Y?",
      "[CARD], y ya está.",
    ],
  ],
  [
    "what is said around an unfinished value, whatever it is",
    "es",
    ["¿Cuál es su cuenta?", "2100 0813, uy que se me cae el papel, 61 01 23, perdona que estoy en la calle, 45 67 89."],
    ["¿Cuál es su cuenta?", "[BANK_ACCOUNT], uy que se me cae el papel, [BANK_ACCOUNT]."],
  ],
  [
    "a question in many words, and an answer in few",
    "es",
    ["Le voy a pedir la matrícula para buscarlo en el sistema, sin prisa.", "ele ka pe... seis cero ocho... siete."],
    ["Le voy a pedir la matrícula para buscarlo en el sistema, sin prisa.", "[LICENSE_PLATE]."],
  ],
  [
    "what is named first where two things are",
    "en",
    ["And the account we're paying into?", "Five seven two seven, one three nine one, two seven four eight."],
    ["And the account we're paying into?", "[BANK_ACCOUNT]."],
  ],
  [
    "a value that is read out and named behind",
    "en",
    ["Okay I've got W C R, eighty nine sixty-seven here, is that your reg?", "Yes."],
    ["Okay I've got [LICENSE_PLATE] here, is that your reg?", "Yes."],
  ],
  [
    "a birth date that is read back",
    "en",
    ["Your date of birth?", "April 1 nineteen thirty six.", "Reading back, 1 April 1936, thanks. It ships on April 4."],
    ["Your date of birth?", "[DATE_OF_BIRTH].", "Reading back, [DATE_OF_BIRTH], thanks. It ships on April 4."],
  ],
  [
    "a month and a year that are heard as one number",
    "es",
    ["¿Fecha de nacimiento?", "Nueve dos mil novecientos noventa y siete."],
    ["¿Fecha de nacimiento?", "[DATE_OF_BIRTH]."],
  ],
  [
    "an address for mail over turns, its small words, and what the other side wrote down of it",
    "es",
    ["¿Su correo?", "pilar guion bajo de la cruz", "pilar, guion bajo, de la cruz", "arroba gmail punto com"],
    ["¿Su correo?", "[EMAIL]", "[EMAIL]", "[EMAIL]"],
  ],
  [
    "an address whose word is spelled behind it",
    "es",
    ["¿Su correo?", "ana zapata arroba gmail punto com, zapata con zeta a pe a te a."],
    ["¿Su correo?", "[EMAIL]."],
  ],
  [
    "the English letter that is a zero",
    "en",
    ["Your account number?", "885 six five three seven two six, o."],
    ["Your account number?", "[BANK_ACCOUNT]."],
  ],
  [
    "another account than the one asked about",
    "es",
    ["Tengo la cuenta 3344 5566, ¿es esa?", "No, es la 9081 2277."],
    ["Tengo la cuenta [BANK_ACCOUNT], ¿es esa?", "No, es la [BANK_ACCOUNT]."],
  ],
  [
    "a corrected birth date",
    "en",
    ["Date of birth?", "four seven no sorry four eight nineteen eighty"],
    ["Date of birth?", "[DATE_OF_BIRTH]"],
  ],
  [
    "a birth date that is named behind it",
    "en",
    ["So that's 11th June 1971, your date of birth?"],
    ["So that's [DATE_OF_BIRTH], your date of birth?"],
  ],
  [
    "a corrected user name",
    "en",
    ["And the username?", "marble fox no wait marblefox88"],
    ["And the username?", "[USERNAME]"],
  ],
  [
    "a password that goes on behind a link",
    "es",
    ["Su contraseña nueva, es Girasoles y luego cuarenta y uno."],
    ["Su contraseña nueva, es [PASSWORD]."],
  ],
  [
    "a user name asked for without a question mark",
    "en",
    ["what user name shows there", "it says k.ortega"],
    ["what user name shows there", "it says [USERNAME]"],
  ],
  [
    "an address for mail whose provider is corrected",
    "en",
    ["Email?", "joan reed at yahoo dot sorry gmail dot com"],
    ["Email?", "[EMAIL]"],
  ],
  [
    "the end of an account that is known",
    "es",
    ["Me consta la cuenta terminada en 8204."],
    ["Me consta la cuenta terminada en [BANK_ACCOUNT]."],
  ],
  ["so many digits as telephones have", "es", ["¿A diez dígitos?", "33 18 20 45 91"], ["¿A diez dígitos?", "[PHONE]"]],
  [
    "a user name over turns",
    "es",
    ["¿Usuario?", "Ka ele eme.", "Ajá.", "Siete siete."],
    ["¿Usuario?", "[USERNAME].", "Ajá.", "[USERNAME]."],
  ],
  ["a user name with a dot", "es", ["Le creo el usuario irene.vela."], ["Le creo el usuario [USERNAME]."]],
  [
    "a number of which nothing more is said than that it is somebody's",
    "en",
    ["I'd like to keep my old number, 809 370 9402."],
    ["I'd like to keep my old number, [PHONE]."],
  ],
  [
    "the number of a document that was named in the question",
    "es",
    ["¿Me da el documento? Solo el número.", "El número es 1018 4452 73."],
    ["¿Me da el documento? Solo el número.", "El número es [NATIONAL_ID]."],
  ],
  [
    "digits that were heard as other words",
    "en",
    ["What's the number?", "Four one to seven ate nine sicks zero three two."],
    ["What's the number?", "[PHONE]."],
  ],
  [
    "digits that were heard as other words, in Spanish",
    "es",
    ["¿Un móvil?", "Seis los cuatro siente tres uno nieve dos cero."],
    ["¿Un móvil?", "[PHONE]."],
  ],
  [
    "digits alone, where the question was not understood",
    "es",
    ["Necesito que me confirme su naranja.", "4, 9, 4, 7, 7, 8."],
    ["Necesito que me confirme su naranja.", "[PHONE]."],
  ],
  [
    "digits around a word that was not understood",
    "es",
    ["Mándeme un WhatsApp al mole 5, 6, 4 mole 3, 6, 7, 7, 9."],
    ["Mándeme un WhatsApp al mole [PHONE]."],
  ],
  [
    "a date alone that somebody may be born on, where the question was not understood",
    "en",
    ["And your dog?", "It's May 19th, 1986."],
    ["And your dog?", "It's [DATE_OF_BIRTH]."],
  ],
  ["so many digits of which nothing is said", "es", ["Le apunto el 774 512 309 8."], ["Le apunto el [PHONE]."]],
  [
    "the end of a value said once more",
    "es",
    ["Mi móvil es el 612 34 56 78.", "Ya lo veo, sí, el del 56 78."],
    ["Mi móvil es el [PHONE].", "Ya lo veo, sí, el del [PHONE]."],
  ],
  [
    "a month that is a word of the spelling alphabet too",
    "en",
    ["My date of birth is November one nineteen sixty-five."],
    ["My date of birth is [DATE_OF_BIRTH]."],
  ],
  [
    "letters that spell the word after them",
    "es",
    ["Apunte ese e erre ge i o sergio nolasco arroba gmail punto com."],
    ["Apunte [EMAIL]."],
  ],
  [
    "a value that is over when the other side says other digits",
    "en",
    ["What's the reg?", "v 5 3 4 v p q", "That's 96 17, cash or card?"],
    ["What's the reg?", "[LICENSE_PLATE]", "That's 96 17, cash or card?"],
  ],
  [
    "a slip that begins anew",
    "es",
    [
      "El IBAN.",
      "E S cuarenta y cinco cero seis tres uno, uy, perdón, cero seis tres dos uno siete dos uno nueve uno nueve tres cuatro nueve cinco cuatro nueve tres dos siete.",
    ],
    ["El IBAN.", "[BANK_ACCOUNT]."],
  ],
  [
    "a user name that does not work",
    "es",
    ["Mi usuario rociogarcia está bloqueado."],
    ["Mi usuario [USERNAME] está bloqueado."],
  ],
  ["a password that was set", "en", ["I set the password to walnut63"], ["I set the password to [PASSWORD]"]],
  [
    "an address for mail that begins anew",
    "es",
    ["¿Correo?", "charo veintidós no perdón charito arroba gmail punto com"],
    ["¿Correo?", "[EMAIL]"],
  ],
  [
    "a telephone that begins anew behind a pause",
    "es",
    ["¿Teléfono?", "seis cuarenta, espere que lo miro, seis cuarenta y dos doce trece catorce"],
    ["¿Teléfono?", "[PHONE]"],
  ],
  [
    "a plate in a spelling alphabet",
    "en",
    ["The reg is alpha bravo one two, charlie delta echo."],
    ["The reg is [LICENSE_PLATE]."],
  ],
  ["a date of birth", "en", ["I was born on March fifth, nineteen eighty-two."], ["I was born on [DATE_OF_BIRTH]."]],
  [
    "an IBAN",
    "es",
    ["La cuenta es ES91 2100 0418 45 0200051332 y ya está."],
    ["La cuenta es [BANK_ACCOUNT] y ya está."],
  ],
  [
    "a user name and a password",
    "en",
    ["My username is jsmith82 and my password is Blue Tiger nine nine."],
    ["My username is [USERNAME] and my password is [PASSWORD]."],
  ],
];

for (const [what, language, turns, expected] of SPOKEN)
  test(`recognised: ${what}`, (t) => {
    t.deepEqual(redacted(language, ...turns), expected);
  });

test("a checksum raises confidence and never vetoes: one misheard digit is redacted all the same", (t) => {
  const wrong = [
    "Mi DNI es 12345678A.",
    "El IBAN es ES91 2100 0418 4502 0005 1333.",
    "Mi tarjeta es 4111 1111 1111 1112.",
  ];
  t.deepEqual(redacted("es", ...wrong), [
    "Mi DNI es [NATIONAL_ID].",
    "El IBAN es [BANK_ACCOUNT].",
    "Mi tarjeta es [CARD].",
  ]);
  const [right, misheard] = ["12345678Z", "12345678A"].map((value) => {
    const utterances = [{ speaker: null, speakerRole: null, text: `Apunte ${value}.`, start: 0, end: 1 }];
    return recognise({ language: "es", utterances })[0]?.confidence ?? 0;
  });
  t.true((right as number) > (misheard as number));
});

test("numbers that are nobody's stay", (t) => {
  const es = [
    "La factura 45781233 asciende a 1.250,50 euros, un 21 por ciento más.",
    "Fibra de 600 megas por treinta y cinco euros, doce meses.",
    "Abrimos de nueve a dos. El técnico va el 15 de marzo de 2024 a las 10 y media.",
    "Su número de pedido es 612345678.",
    "El tren AVE 05162 sale a las veinte quince.",
    "El horario es de dieciocho y treinta a veinte y quince.",
  ];
  t.deepEqual(redacted("es", ...es), es);
  const en = [
    "Your phone contract ends 2026, the card is the one ending 3321.",
    "Order 5551234 is $45.99 for 2 boxes.",
    "Your case number is four four one nine two zero seven.",
    "Two to three days, six for ten dollars.",
    "It was in 1998, at 5 pm.",
    "I have been a customer since May 19th, 1998.",
    "Is that an old username or a new one?",
    "New one, I guess.",
  ];
  t.deepEqual(redacted("en", ...en), en);
});

test("what comes after a value is none of it", (t) => {
  t.deepEqual(redacted("es", "¿Me dice su móvil?", "612 345 678.", "Gracias.", "Compré ocho y devolví dos, en 2016."), [
    "¿Me dice su móvil?",
    "[PHONE].",
    "Gracias.",
    "Compré ocho y devolví dos, en 2016.",
  ]);
  t.deepEqual(
    redacted("en", "Your date of birth?", "August 1 1998.", "Thanks.", "You're number eight one eight in the queue."),
    ["Your date of birth?", "[DATE_OF_BIRTH].", "Thanks.", "You're number eight one eight in the queue."],
  );
});

test("six digits and more are redacted where somebody's number is asked for, whatever their form", (t) => {
  t.deepEqual(redacted("es", "¿Me dice su DNI?", "Sí, 1234567."), ["¿Me dice su DNI?", "Sí, [NATIONAL_ID]."]);
});

test("another language has its written forms recognised", (t) => {
  t.deepEqual(redacted("fr", "C'est anne@exemple.fr, carte 4111 1111 1111 1111, 20 euros."), [
    "C'est [EMAIL], carte [CARD], 20 euros.",
  ]);
});

test("calls full of dictated values: nearly all are hidden, and little else", (t) => {
  const made = (["es", "en"] as const).flatMap((language) =>
    (["development", "wider"] as const).flatMap((split) => makeCalls(language, split, 60, 7)),
  );
  const { all } = tally(
    [...made, ...readDictations(developmentDictations, "written")].map((call) => ({
      call,
      entities: recognise(call.call),
    })),
    DETERMINISTIC,
  );
  t.true(all.found / all.gold > 0.975, `${all.found} of ${all.gold}`);
  t.true(all.right / all.predicted > 0.97, `${all.right} of ${all.predicted}`);
});

test("whatever the text: entities lie within their turns, in order, and the rules do not fail", (t) => {
  const made = makeCalls("es", "development", 20, 9);
  for (const { call } of made)
    for (const language of ["es", "en", "fr", "und"]) {
      const entities = recognise({ ...call, language });
      for (const { utterance, start, end } of entities) {
        const text = call.utterances[utterance]?.text ?? "";
        t.true(0 <= start && start < end && end <= text.length);
        t.is(text.slice(start, end).trim(), text.slice(start, end));
      }
      t.notThrows(() => redact(call, entities, "mask"));
    }
});
