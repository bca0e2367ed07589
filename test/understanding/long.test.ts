import test from "ava";
import { fails, says } from "../upstream/double.ts";
import { type Asked, callOf, SPANISH, startModel } from "./model.ts";

/** Ten hours of talk: some 90,000 words, every turn with a name of its own. */
function tenHours() {
  const turns = Array.from({ length: 6_000 }, (_, i) =>
    i % 2
      ? `customer: Soy el cliente Nombre${i} y la factura de la línea ${i} ha subido mucho otra vez este mes sin avisar a nadie.`
      : `agent: Tomo nota de la línea ${i}, reviso la factura y le llamo con la respuesta, gracias por la espera.`,
  );
  return callOf("es", ...turns);
}

/** Reads what it is asked about, as a good model would. */
function reader({ fields, text, kind }: Asked): object {
  const numbers = [...text.matchAll(/^\[(\d+)\] customer/gm)].map(([, turn]) => Number(turn));
  const answers: Record<string, unknown> = {
    topic_detection: [{ label: "billing_dispute", relevance: 0.5 }],
    summarization: [
      kind === "call" ? "El cliente se queja de la factura de la línea." : "Muchos clientes se quejan de la factura.",
    ],
    action_items: [{ text: "Llamar con la respuesta sobre la línea", owner: null, due: null }],
    sentiment_analysis: { overall: "negative", turns: numbers.map((turn) => ({ turn, sentiment: "negative" })) },
    pii_redaction: [...text.matchAll(/Nombre\d+/g)].map(([name]) => ({ type: "PERSON", text: name })),
  };
  return Object.fromEntries(fields.map((field) => [field, answers[field]]));
}

const WINDOW = 8_192;
/** Characters a token has in this text; what a server with such a window would take. */
const CHARACTERS_A_TOKEN = 3;

test("a ten-hour call goes through a small window: in parts, every turn once, one summary of many", async (t) => {
  const model = await startModel(
    (asked) => {
      const prompt = (asked.system.length + asked.user.length) / CHARACTERS_A_TOKEN;
      if (prompt + asked.body.max_tokens > WINDOW) {
        return fails(400, {
          error: { message: "maximum context length is 8192 tokens", code: "context_length_exceeded" },
        });
      }
      return reader(asked);
    },
    { context_window: WINDOW },
  );
  const call = tenHours();
  const { results, warnings } = await model.understand("insight", call);
  t.deepEqual(warnings, []);
  t.deepEqual(results.summarization, { text: "Muchos clientes se quejan de la factura." });
  t.is(results.topic_detection?.topics.length, 1);
  t.deepEqual(
    results.sentiment_analysis?.by_utterance.map(({ index }) => index),
    Array.from({ length: 3_000 }, (_, i) => 2 * i + 1),
  );
  const parts = model.asked.filter(({ kind }) => kind === "call");
  t.true(parts.length > 20);
  const lines = parts.flatMap(({ text }) => text.split("\n"));
  t.is(lines.length, call.utterances.length);
  t.true(model.asked.some(({ kind }) => kind === "notes"));
  t.deepEqual(
    [...new Set(model.asked.filter(({ kind }) => kind === "notes").flatMap(({ fields }) => fields))],
    ["summarization"],
  );
  await model.stop();
});

test("every name of a ten-hour call is redacted", async (t) => {
  const model = await startModel(reader, { context_window: 32_768 });
  const { pii, warnings } = await model.understand("pii", tenHours());
  t.deepEqual(warnings, []);
  t.is(pii?.entities.filter(({ type }) => type === "PERSON").length, 3_000);
  t.false(pii?.text_redacted.includes("Nombre"));
  await model.stop();
});

test("one part that cannot be read is no whole: the module has failed, the others stay", async (t) => {
  let first = true;
  const model = await startModel(
    (asked) => {
      const answer = reader(asked) as Record<string, unknown>;
      if (first && asked.text.includes("Nombre2001")) answer.sentiment_analysis = "broken";
      return answer;
    },
    { context_window: WINDOW },
  );
  const { delivered, warnings } = await model.understand("insight", tenHours(), {
    modules: ["topic_detection", "sentiment_analysis"],
  });
  first = false;
  t.deepEqual(delivered, ["topic_detection"]);
  t.deepEqual(warnings, ["module_failed:sentiment_analysis"]);
  await model.stop();
});

test("a window smaller than the settings say: the part is halved until it fits", async (t) => {
  const angry = (text: string) => (text.includes("enfadado") ? [{ turn: 1, sentiment: "negative" }] : []);
  const model = await startModel(({ text }) =>
    text.length > 200
      ? fails(413, {})
      : says(JSON.stringify({ sentiment_analysis: { overall: "neutral", turns: angry(text) } })),
  );
  const { results, warnings } = await model.understand("insight", SPANISH, { modules: ["sentiment_analysis"] });
  t.deepEqual(warnings, []);
  t.deepEqual(
    results.sentiment_analysis?.by_utterance.map(({ index }) => index),
    [1, 3, 5],
  );
  t.true(model.asked.length > 3);
  await model.stop();
});

test("a turn longer than a part is cut at its sentences", async (t) => {
  const sentences = Array.from({ length: 400 }, (_, i) => `La factura número ${i} ha subido mucho.`);
  const model = await startModel(reader, { context_window: 4_096 });
  const { warnings } = await model.understand("insight", callOf("es", `customer: ${sentences.join(" ")}`), {
    modules: ["topic_detection"],
  });
  t.deepEqual(warnings, []);
  const texts = model.asked.map(({ text }) => text);
  t.true(texts.length > 1);
  for (const text of texts) t.regex(text, /^\[0\] customer: La factura número \d+ .* ha subido mucho\.$/s);
  for (const sentence of sentences) t.is(texts.filter((text) => text.includes(sentence)).length, 1);
  await model.stop();
});

test("a window too small for any question is told, and nothing is asked", async (t) => {
  const model = await startModel(reader, { context_window: 512 });
  const { warnings } = await model.understand("insight", SPANISH, { modules: ["topic_detection"] });
  t.deepEqual(warnings, ["module_unavailable:topic_detection"]);
  t.is(model.asked.length, 0);
  await model.stop();
});
