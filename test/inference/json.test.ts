import test from "ava";
import { serverForFile } from "./server.ts";

const server = serverForFile(test);
const call =
  "María Núñez, 45 años, llama desde Cádiz: la factura de marzo es 20 euros más alta y quiere que se la devuelvan.";

for (const [name, content] of [
  ["an order", "Give me a JSON object with a name and an age."],
  ["no word about JSON", "Write a short poem about the sea."],
  ["quotes and line breaks", 'Quote this: "she said \\ no"\nand this\ttab'],
  ["Spanish", `Extrae los datos: ${call}`],
] as const) {
  test(`json_object: the answer is one JSON object, asked with ${name}`, async (t) => {
    for (const seed of [1, 2, 3]) {
      const { choices } = await server().chat({
        messages: [{ role: "user", content }],
        response_format: { type: "json_object" },
        temperature: 1,
        seed,
        max_tokens: 400,
      });
      const [choice] = choices;
      const text = choice?.message.content ?? "";
      if (choice?.finish_reason === "length") {
        t.regex(text, /^\{/, "cut off, as `length` says");
        continue;
      }
      const parsed = JSON.parse(text);
      t.is(typeof parsed, "object");
      t.false(Array.isArray(parsed));
    }
  });
}

test("json_schema: properties, types, enumerations, lengths and counts are as the schema says", async (t) => {
  const schema = {
    type: "object",
    properties: {
      customer: { type: "string", maxLength: 30 },
      age: { type: ["integer", "null"] },
      kind: { enum: ["reclamación", 'the "other" one', "consulta"] },
      amounts: { type: "array", items: { type: "number" }, minItems: 1, maxItems: 2 },
      resolved: { type: "boolean" },
      steps: { type: "array", maxItems: 2, items: { $ref: "#/$defs/step" } },
      due: { anyOf: [{ type: "string", format: "date" }, { type: "null" }] },
    },
    required: ["customer"],
    additionalProperties: false,
    $defs: {
      step: {
        type: "object",
        properties: { who: { type: "string", enum: ["agent", "customer"] }, what: { type: "string", maxLength: 40 } },
      },
    },
  };
  for (const seed of [1, 2, 3]) {
    const { choices } = await server().chat({
      messages: [{ role: "user", content: `Fill in: ${call}` }],
      response_format: { type: "json_schema", json_schema: { name: "call", strict: true, schema } },
      temperature: 1,
      seed,
      max_tokens: 600,
    });
    t.is(choices[0]?.finish_reason, "stop", choices[0]?.message.content);
    const found = JSON.parse(choices[0]?.message.content ?? "");
    t.deepEqual(Object.keys(found), Object.keys(schema.properties));
    t.true(typeof found.customer === "string" && found.customer.length <= 30);
    t.true(found.age === null || Number.isInteger(found.age));
    t.true(schema.properties.kind.enum.includes(found.kind), found.kind);
    t.true(found.amounts.length >= 1 && found.amounts.length <= 2 && found.amounts.every(Number.isFinite));
    t.is(typeof found.resolved, "boolean");
    t.true(found.steps.length <= 2);
    for (const step of found.steps) {
      t.true(["agent", "customer"].includes(step.who));
      t.true(typeof step.what === "string" && step.what.length <= 40);
    }
    t.true(found.due === null || /^\d{4}-\d\d-\d\d$/.test(found.due));
  }
});

test("json_schema: a list or a scalar may be the whole answer", async (t) => {
  const ask = async (schema: object) => {
    const answer = await server().chat({
      messages: [{ role: "user", content: "Three colours, please." }],
      response_format: { type: "json_schema", json_schema: { schema } },
      temperature: 0,
      max_tokens: 100,
    });
    return JSON.parse(answer.choices[0]?.message.content ?? "");
  };
  const colours = await ask({ type: "array", items: { type: "string", maxLength: 12 }, minItems: 3, maxItems: 3 });
  t.is(colours.length, 3);
  t.is(typeof (await ask({ type: "boolean" })), "boolean");
});

test("json_schema: what a grammar cannot say is refused with the field and the reason", async (t) => {
  for (const [schema, reason] of [
    [{ type: "object", not: { type: "string" } }, /`not` is not supported/],
    [{ type: "object", properties: { a: { $ref: "https://example.com/a.json" } } }, /`\$ref`/],
    [{ type: "object", properties: { a: { $ref: "#/$defs/none" } } }, /cannot be followed/],
    [{ type: "text" }, /no type "text"/],
    [{ type: "array", items: { type: "string" }, minItems: 100_000 }, /minItems/],
  ] as const) {
    const response = await server().post("/v1/chat/completions", {
      model: "smollm2-135m-instruct",
      messages: [{ role: "user", content: "Hi" }],
      response_format: { type: "json_schema", json_schema: { name: "x", schema } },
      max_tokens: 20,
    });
    const { error } = (await response.json()) as { error: { message: string; param: string } };
    t.is(response.status, 400, JSON.stringify(schema));
    t.is(error.param, "response_format");
    t.regex(error.message, reason);
  }
});
