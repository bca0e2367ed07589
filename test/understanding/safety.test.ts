import test from "ava";
import { profanitiesIn } from "../../understanding/safety/lexicon.ts";
import { masked } from "../../understanding/safety/profanity.ts";
import { callOf, from, SPANISH, startModel } from "./model.ts";

async function safety(answers: Record<string, unknown>, more: object = {}, call = SPANISH) {
  const model = await startModel(from({ content_moderation: [], profanity_filter: [], ...answers }));
  try {
    return { ...(await model.understand("safety", call, more)), asked: model.asked };
  } finally {
    await model.stop();
  }
}

test("moderation: six categories, severity 0 to 1, excerpts as the call has them; what is not in it falls away", async (t) => {
  const call = callOf("en", "customer: If you don't pay me I WILL come over and hurt you, Brian.");
  const findings = [
    { category: "violence", severity: 0.9, excerpt: "i will come over and hurt you" },
    { category: "violence", severity: 0.4, excerpt: "I will come over and hurt you" },
    { category: "gossip", severity: 0.5, excerpt: "pay me" },
  ];
  const { results } = await safety({ content_moderation: findings }, {}, call);
  t.deepEqual(results.content_moderation, {
    findings: [{ category: "violence", severity: 0.9, excerpt: "I WILL come over and hurt you" }],
  });
});

test("moderation that makes most of it up is asked again, then it has failed; what is found beside it stays", async (t) => {
  const made = [{ category: "weapons", severity: 0.5, excerpt: "he has a gun" }];
  const { results, warnings, delivered, asked } = await safety({
    content_moderation: made,
    profanity_filter: ["mierda"],
  });
  t.deepEqual(warnings, ["module_failed:content_moderation"]);
  t.deepEqual(delivered, ["profanity_filter"]);
  t.deepEqual(results.profanity_filter, { terms: [{ text: "mierda" }] });
  t.deepEqual(
    asked.map(({ fields }) => fields),
    [["content_moderation", "profanity_filter"], ["content_moderation"]],
  );
});

test("profanity: lexicon and model together, as spoken, once each; what nobody said is dropped", async (t) => {
  const call = callOf("es", "customer: ¡Joder! Sois unos chupatintas de MIERDA, joder.", "agent: Cálmese.");
  const terms = ["chupatintas", "mierda", "cabrones", "", null, { text: "sois unos chupatintas de mierda joder" }];
  const { results, asked } = await safety({ profanity_filter: terms }, {}, call);
  // What only the model takes for a swear word is asked about away from the call.
  t.deepEqual(asked.map(({ kind, text }) => [kind, text]).slice(1), [["words", "chupatintas"]]);
  t.deepEqual(results.profanity_filter, { terms: [{ text: "Joder" }, { text: "MIERDA" }, { text: "chupatintas" }] });
  const { results: hidden } = await safety(
    { profanity_filter: [] },
    { request: { profanity_filter: { policy: "mask" } } },
    call,
  );
  t.deepEqual(hidden.profanity_filter, { terms: [{ text: "J****" }, { text: "M*****" }] });
});

test("a mask keeps the first letter of each word", (t) => {
  t.is(masked("hijo de puta"), "h*** d* p***");
  t.is(masked("¡Coño!"), "¡C***!");
});

test("the lexicon knows inflections in Spanish and English, and whole words only", (t) => {
  const found = (text: string) => profanitiesIn(text).map((term) => term.toLowerCase());
  for (const word of [
    ..."joder jodido jódete puta puto putada mierda cabrón cabrones gilipollas gilipollez coño cojones hostia capullo pendejo".split(
      " ",
    ),
    ..."chingada culero huevón boludo carajo cagada acojonante hijueputa mariconada".split(" "),
    ..."fuck fucking fucked motherfucker bullshit shitty bitch assholes dickhead wanker bollocks pissed goddamn cunt".split(
      " ",
    ),
  ]) {
    t.deepEqual(found(`Dijo ${word}, y colgó.`), [word], word);
  }
  t.deepEqual(found("Eres un hijo de la gran puta."), ["hijo de la gran puta"]);
  t.deepEqual(found("You son of a bitch!"), ["son of a bitch"]);
  t.deepEqual(found("Me cago en todo"), ["me cago en todo"]);
  for (const innocent of [
    "I live in Scunthorpe, Essex, near Penistone and Cockfosters.",
    "Dick Hancock and Titus Shitake? No: shiitake mushrooms, a cocktail and an assessment class.",
    "Computadora, disputa, reputación, diputado, imputar, amputar.",
    "Un cono de tráfico y dos conos más; el conjunto conocido.",
    "Pinche en el enlace, coja el polo, la zorra del bosque, cogí el autobús.",
    "La hostelería, el hostal, el capullito de la rosa no cuenta, acojo, joyería, jota.",
    "Passive, associate, brass, grass, classic, bass guitar, therapist, analysis.",
    "Cagliari, Cagney, el calor, la carga, huevos, boludez de nombre no, pendiente.",
    "The pissarro exhibition, Shih Tzu, Fuchs, Wankel engine, bitcoin.",
  ]) {
    t.deepEqual(found(innocent), [], innocent);
  }
});
