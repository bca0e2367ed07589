import test from "ava";
import { LABELS } from "../../understanding/insight/taxonomy.ts";
import { callOf, from, GOOD, SPANISH, startModel } from "./model.ts";

/** One module's result for an answer of the model, on a call of its own or the Spanish one. */
async function resultOf(module: string, answer: unknown, more: object = {}, call = SPANISH) {
  const model = await startModel(from({ [module]: answer }));
  try {
    const { results, warnings } = await model.understand("insight", call, { modules: [module as never], ...more });
    return { result: (results as Record<string, unknown>)[module], warnings, asked: model.asked };
  } finally {
    await model.stop();
  }
}

test("one call brings the four modules of insight, in the forms that clients read", async (t) => {
  const model = await startModel(from(GOOD));
  const { results, delivered, warnings, metrics } = await model.understand("insight", SPANISH);
  t.is(model.asked.length, 1);
  t.deepEqual(warnings, []);
  t.deepEqual(delivered, ["topic_detection", "summarization", "action_items", "sentiment_analysis"]);
  t.deepEqual(results, {
    topic_detection: {
      topics: [
        { label: "billing_dispute", relevance: 0.9 },
        { label: "billing_refund", relevance: 0.6 },
      ],
      taxonomy: "contact_center",
      taxonomy_version: 1,
    },
    summarization: { text: (GOOD.summarization as string[]).join("\n") },
    action_items: { items: GOOD.action_items as never },
    sentiment_analysis: {
      overall: "negative",
      by_utterance: [
        { index: 1, sentiment: "negative" },
        { index: 3, sentiment: "negative" },
        { index: 5, sentiment: "positive" },
      ],
    },
  });
  t.true(metrics.seconds > 0);
  t.is(metrics.promptTokens, 7);
  t.is(metrics.promptVersion, "2026-11-21");
  await model.stop();
});

test("contact_center has the 40 labels of the specification; others are dropped, and nothing but others is no answer", async (t) => {
  t.is(LABELS.length, 40);
  t.is(new Set(LABELS).size, 40);
  const mixed = [
    { label: "billing_refund", relevance: 0.4 },
    { label: "billing_everything", relevance: 0.9 },
    { label: "BILLING_DISPUTE", relevance: 0.7 },
    { label: "billing_refund", relevance: 0.5 },
    { label: "survey", relevance: 7 },
  ];
  const { result } = await resultOf("topic_detection", mixed);
  t.deepEqual(result, {
    topics: [
      { label: "billing_dispute", relevance: 0.7 },
      { label: "billing_refund", relevance: 0.5 },
    ],
    taxonomy: "contact_center",
    taxonomy_version: 1,
  });
  const other = await resultOf("topic_detection", [{ label: "weather", relevance: 1 }]);
  t.is(other.result, undefined);
  t.deepEqual(other.warnings, ["module_failed:topic_detection"]);
  t.is(other.asked.length, 2);
});

test("open gives free labels; iab gives them too, with its warning, and is delivered", async (t) => {
  const labels = [{ label: "Factura más cara", relevance: 0.8 }];
  const open = await resultOf("topic_detection", labels, { request: { topic_detection: { taxonomy: "open" } } });
  t.deepEqual(open.result, { topics: labels, taxonomy: "open", taxonomy_version: 1 });
  t.deepEqual(open.warnings, []);
  const iab = await resultOf("topic_detection", labels, { request: { topic_detection: { taxonomy: "iab" } } });
  t.deepEqual(iab.result, open.result);
  t.deepEqual(iab.warnings, ["taxonomy_unavailable:iab"]);
});

test("bullets are lines without marks, a paragraph is one, a headline is short", async (t) => {
  const summary = (format: "bullets" | "paragraph" | "headline", answer: unknown) =>
    resultOf("summarization", answer, { request: { summarization: { format } } });
  const [one, two] = GOOD.summarization as [string, string];
  t.deepEqual((await summary("bullets", `- ${one}\n2. ${two}\n`)).result, { text: `${one}\n${two}` });
  t.deepEqual((await summary("paragraph", `${one}\n\n${two}`)).result, { text: `${one} ${two}` });
  t.deepEqual((await summary("headline", "Queja por la factura y devolución de veinte euros.")).result, {
    text: "Queja por la factura y devolución de veinte euros",
  });
  t.deepEqual((await summary("headline", `${one} ${two} ${one} ${two}`)).warnings, ["module_failed:summarization"]);
});

test("a summary in another language than the call's is asked for once more, then it has failed", async (t) => {
  const english = ["The customer Pedro Ruiz complains that the invoice factura went up by twenty euros this month."];
  const { warnings, asked } = await resultOf("summarization", english);
  t.deepEqual(warnings, ["module_failed:summarization"]);
  t.is(asked.length, 2);
  t.regex(asked[0]?.user ?? "", /free text in Spanish/);

  const model = await startModel(({ count }) => ({ summarization: count === 0 ? english : GOOD.summarization }));
  const { delivered } = await model.understand("insight", SPANISH, { modules: ["summarization"] });
  t.deepEqual(delivered, ["summarization"]);
  await model.stop();
});

test("a sentence that nothing in the call supports falls away; a summary of such sentences has failed", async (t) => {
  const [one] = GOOD.summarization as [string];
  const invented = "El astronauta aterrizó sin combustible cerca de Júpiter.";
  const { result } = await resultOf("summarization", [
    one,
    invented,
    "Visite https://evil.example.com para su factura.",
  ]);
  t.deepEqual(result, { text: one });
  t.deepEqual((await resultOf("summarization", [invented])).warnings, ["module_failed:summarization"]);
});

test("the summary's context is in the prompt, on one line, for the summary alone", async (t) => {
  const context = "Llamadas de un operador.\n</call>\nZanahoria";
  const { asked } = await resultOf("summarization", GOOD.summarization, { request: { summarization: { context } } });
  t.true(asked[0]?.system.includes("to be used for the summary only: Llamadas de un operador. </call> Zanahoria"));
  t.false(asked[0]?.user.includes("Zanahoria"));
});

test("owner and due are in the words of the call, or null; an empty list is a result", async (t) => {
  const items = [
    { text: "Mandar la devolución", owner: "laura gomez", due: "Antes del viernes" },
    { text: "Avisar de la factura", owner: "Marta", due: "en tres días" },
    { text: "Explicar la promoción", owner: "yo", due: null },
    { text: "Comprar una lavadora nueva", owner: null, due: null },
    { text: "Mandar la devolución.", owner: null, due: null },
    null,
    "Mandar",
    { owner: "Laura" },
  ];
  t.deepEqual((await resultOf("action_items", items)).result, {
    items: [
      { text: "Mandar la devolución", owner: "Laura Gómez", due: "antes del viernes" },
      { text: "Avisar de la factura", owner: null, due: null },
      { text: "Explicar la promoción", owner: null, due: null },
    ],
  });
  const chat = callOf(
    "es",
    "agent: Buenos días.",
    "customer: ¿A qué hora cierran hoy la tienda?",
    "agent: A las nueve.",
  );
  t.deepEqual((await resultOf("action_items", [], {}, chat)).result, { items: [] });
  const invented = [{ text: "Comprar una lavadora nueva", owner: null, due: null }];
  t.deepEqual((await resultOf("action_items", invented)).warnings, ["module_failed:action_items"]);
});

test("sentiment is of the customer's turns alone, whatever the model says of others", async (t) => {
  const answer = {
    overall: "negative",
    turns: [
      ...[0, 1, 2, 4, 99, -1].map((turn) => ({ turn, sentiment: "negative" })),
      ...[null, 3, { turn: 3, sentiment: [{}] }, { turn: [3], sentiment: "negative" }],
    ],
  };
  const { result, asked } = await resultOf("sentiment_analysis", answer);
  t.deepEqual(result, {
    overall: "negative",
    by_utterance: [
      { index: 1, sentiment: "negative" },
      { index: 3, sentiment: "neutral" },
      { index: 5, sentiment: "neutral" },
    ],
  });
  const { text = "" } = asked[0] ?? {};
  t.regex(text, /^agent: Buenos días/);
  t.regex(text, /^\[1\] customer: Hola/m);
  t.notRegex(text, /^\[[024]\]/m);
});

test("without usable roles, or without a customer, there is no sentiment and nobody is asked for it", async (t) => {
  const answer = GOOD.sentiment_analysis;
  const cases = [
    await resultOf("sentiment_analysis", answer, { rolesUsable: false }),
    await resultOf("sentiment_analysis", answer, {}, callOf("es", "agent: Buenos días, ¿hay alguien?")),
    await resultOf("sentiment_analysis", answer, {}, callOf("es", "Buenos días.")),
  ];
  for (const { result, warnings, asked } of cases) {
    t.is(result, undefined);
    t.deepEqual(warnings, ["module_unavailable:sentiment_analysis"]);
    t.is(asked.length, 0);
  }
});

test("an overall sentiment that every judged turn denies is no answer", async (t) => {
  const { warnings } = await resultOf("sentiment_analysis", {
    overall: "positive",
    turns: [{ turn: 1, sentiment: "negative" }],
  });
  t.deepEqual(warnings, ["module_failed:sentiment_analysis"]);
});
