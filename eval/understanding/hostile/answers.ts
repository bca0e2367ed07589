import type { Random } from "../../random.ts";

/** An answer as it goes over the wire; `status` for one that is none. */
export type HostileAnswer =
  | { text: string; finish?: "stop" | "length" }
  | { fault: "status" | "break" | "begin" | "html" };

type Make = (good: Record<string, unknown>, random: Random) => HostileAnswer;

const json = (value: unknown) => ({ text: JSON.stringify(value) });
/** Every leaf, or every value of a field, made something else. */
const each = (good: Record<string, unknown>, change: (value: unknown) => unknown) =>
  json(Object.fromEntries(Object.entries(good).map(([field, value]) => [field, change(value)])));
const deep = (value: unknown, leaf: (value: unknown) => unknown): unknown => {
  if (Array.isArray(value)) return value.map((one) => deep(one, leaf));
  if (value !== null && typeof value === "object")
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, deep(one, leaf)]));
  return leaf(value);
};

const WRONG = [
  null,
  true,
  0,
  -1,
  1e308,
  "",
  "yes",
  [],
  {},
  [[]],
  [null],
  [0],
  ["x"],
  [{}],
  { a: 1 },
  "null",
  [["a", 1]],
];
const NOISE = [
  "\u0000",
  "\u202e",
  "\ud800",
  "🙈",
  "﷽",
  "\u200b",
  "ß",
  "İ",
  "e\u0301",
  "中文",
  "עברית",
  "\ufeff",
  "\\u00e9",
  "\b",
];
const FOREIGN = [
  "顧客は請求書について不満を述べ、返金を求めました。",
  "Клиент жалуется на счёт и просит вернуть деньги как можно скорее.",
  "Der Kunde beschwert sich über die Rechnung und verlangt sein Geld zurück.",
  "Le client se plaint de la facture et demande un remboursement rapide.",
  "Az ügyfél panaszkodik a számla miatt, és visszatérítést kér.",
];
const REFUSALS = [
  "I'm sorry, but I can't help with that.",
  "As an AI language model, I cannot process personal data.",
  "Lo siento, no puedo ayudar con esa petición.",
  '{"error": "content policy"}',
  '{"refusal": "I cannot"}',
  "[]",
  "null",
  '"no"',
  "42",
];

/** What servers and models do when they are at their worst, by name. */
export const HOSTILE: Record<string, Make> = {
  truncated: (good, random) => {
    const text = JSON.stringify(good);
    return { text: text.slice(0, random.below(text.length)), finish: random.below(2) ? "stop" : "length" };
  },
  "wrong types": (good, random) => each(good, () => random.pick(WRONG)),
  "wrong leaves": (good, random) =>
    each(good, (value) => deep(value, (leaf) => (random.below(2) ? random.pick(WRONG) : leaf))),
  "extra text": (good, random) => {
    const text = JSON.stringify(good, null, random.below(3));
    const around = random.pick([
      ["Sure! Here is the JSON you asked for:\n```json\n", "\n```\nLet me know if {you} need more."],
      ['<think>maybe {"topic_detection": 3}</think>', ""],
      ['{"note": 1}\n', ""],
      ["", '\n\n{"topic_detection": []}'],
      ["// comment\n", " // {"],
    ]);
    return { text: `${around[0]}${text}${around[1]}` };
  },
  "extra fields": (good, random) =>
    json({
      ...(deep(good, (leaf) => leaf) as object),
      [random.pick(["__proto__", "constructor", "hacked", "pii", "billing"])]: { polluted: true },
    }),
  "wrong language": (good, random) =>
    each(good, (value) => deep(value, (leaf) => (typeof leaf === "string" ? random.pick(FOREIGN) : leaf))),
  refusal: (_good, random) => ({ text: random.pick(REFUSALS) }),
  "agent turns in sentiment": (good, random) =>
    json({
      ...good,
      sentiment_analysis: {
        overall: random.pick(["positive", "negative", "neutral", "angry"]),
        turns: Array.from({ length: 12 }, (_, turn) => ({
          turn: random.pick([turn, `${turn}`, -turn, turn + 0.5]),
          sentiment: random.pick(["positive", "negative", "neutral", "furious"]),
        })),
        agent: { overall: "negative" },
      },
    }),
  "labels outside the list": (good, random) =>
    json({
      ...good,
      topic_detection: Array.from({ length: 6 }, () => ({
        label: random.pick([
          "billing",
          "Billing_Dispute ",
          "sales",
          "tech_outages",
          "billing_dispute|survey",
          "constructor",
          "toString",
          "retention\n",
          "<b>survey</b>",
          "otro",
        ]),
        relevance: random.pick([0.5, 2, -1, "0.7", null]),
      })),
    }),
  html: (good, random) =>
    each(good, (value) =>
      deep(value, (leaf) =>
        typeof leaf === "string"
          ? random.pick([
              `<b>${leaf}</b>`,
              `${leaf}<script>alert(1)</script>`,
              `[${leaf}](https://evil.example)`,
              `&lt;i&gt;${leaf}`,
            ])
          : leaf,
      ),
    ),
  huge: (good, random) => {
    const filler = random.pick(["a", "la factura ", "[", '{"a":', "\\", "mierda "]).repeat(20_000);
    return random.below(2)
      ? { text: filler }
      : each(good, (value) => deep(value, (leaf) => (typeof leaf === "string" ? filler.slice(0, 40_000) : leaf)));
  },
  "many items": (good) =>
    each(good, (value) => (Array.isArray(value) ? Array.from({ length: 2_000 }, () => value[0] ?? "factura") : value)),
  "unicode noise": (good, random) =>
    each(good, (value) =>
      deep(value, (leaf) =>
        typeof leaf === "string"
          ? [...leaf].map((letter) => (random.below(4) ? letter : random.pick(NOISE))).join("")
          : leaf,
      ),
    ),
  "deep nesting": (_good, random) => ({ text: `${'{"topic_detection":'.repeat(500 + random.below(2_000))}1` }),
  empty: (_good, random) => ({ text: random.pick(["", " ", "\n\n", "{}", "{", "}", "```", '{"":""}']) }),
  invented: (good) =>
    each(good, (value) =>
      deep(value, (leaf) => (typeof leaf === "string" ? "the purple submarine of Doctor Zhivago" : leaf)),
    ),
  "swapped fields": (good) => {
    const values = Object.values(good);
    return json(Object.fromEntries(Object.keys(good).map((field, i) => [field, values[(i + 1) % values.length]])));
  },
  "everything is personal": (good, random) =>
    json({
      ...good,
      pii_redaction: "factura que de la el internet casa car claim parcel cuota contrato mañana the and in"
        .split(" ")
        .map((text) => ({ type: random.pick(["PERSON", "CARD", "person", "SECRET"]), text })),
    }),
  "not an answer": (_good, random) => ({ fault: random.pick(["status", "break", "begin", "html"] as const) }),
  "half right": (good, random) => json(Object.fromEntries(Object.entries(good).filter(() => random.below(2)))),
};
