import test from "ava";
import * as fc from "fast-check";
import { piiResult } from "../../../api/schemas/understanding-results.ts";
import { join } from "../../../understanding/pii/join.ts";
import { recognise } from "../../../understanding/pii/recognise.ts";
import { redact } from "../../../understanding/pii/redact.ts";
import { type Entity, PII_TYPES } from "../../../understanding/pii/types.ts";
import type { Call } from "../../../understanding/types.ts";

function callOf(...texts: string[]): Call {
  const utterances = texts.map((text, index) => ({
    speaker: String(index % 2),
    speakerRole: null,
    text,
    start: index,
    end: index + 1,
  }));
  return { language: "en", utterances };
}

function entity(type: Entity["type"], utterance: number, start: number, end: number, confidence = 0.9): Entity {
  return { type, utterance, start, end, confidence, source: "rule" };
}

test("entity_name writes the type in the place of the value, mask a star a character", (t) => {
  const call = callOf("I am Ana López.", "Hello, Ana.");
  const entities = [entity("PERSON", 1, 7, 10), entity("PERSON", 0, 5, 14)];
  t.deepEqual(redact(call, entities, "entity_name"), {
    text_redacted: "I am [PERSON]. Hello, [PERSON].",
    utterances_redacted: [
      { speaker: "0", speakerRole: null, text: "I am [PERSON].", start: 0, end: 1 },
      { speaker: "1", speakerRole: null, text: "Hello, [PERSON].", start: 1, end: 2 },
    ],
    entities: [
      { type: "PERSON", utterance: 0, start: 5, end: 14 },
      { type: "PERSON", utterance: 1, start: 7, end: 10 },
    ],
    policy: "entity_name",
  });
  t.is(redact(call, entities, "mask").text_redacted, "I am *********. Hello, ***.");
});

test("the result is what the API says, and its types are the API's twelve", (t) => {
  const call = callOf("I am Ana.");
  const result = redact(call, [entity("PERSON", 0, 5, 8)], "mask");
  t.deepEqual(piiResult.parse(result), result);
  t.deepEqual([...PII_TYPES], piiResult.shape.entities.element.shape.type.options);
  t.is(PII_TYPES.length, 12);
});

test("overlapping entities become one, named after the surest", (t) => {
  const call = callOf("call 600 111 222 now");
  const entities = [entity("BANK_ACCOUNT", 0, 9, 16, 0.5), entity("PHONE", 0, 5, 12, 0.8)];
  t.is(redact(call, entities, "entity_name").text_redacted, "call [PHONE] now");
});

test("an entity outside its turn is refused", (t) => {
  for (const wrong of [entity("PHONE", 1, 0, 1), entity("PHONE", 0, 2, 9), entity("PHONE", 0, 1, 1)])
    t.throws(() => redact(callOf("abc"), [wrong], "mask"), { instanceOf: RangeError });
});

test("a claim of a model counts where its words stand, whole, in any case and spacing", (t) => {
  const call = callOf("My name is Ana  López, not Anabel.", "Thanks, ana lópez.");
  const claims = [
    { type: "PERSON", text: "Ana López", utterance: 0 },
    { type: "PERSON", text: "Peter" },
    { type: "NICKNAME", text: "Thanks" },
    { type: "PERSON", text: "  " },
  ];
  t.deepEqual(
    join(call, [], claims).map(({ utterance, start, end }) => call.utterances[utterance]?.text.slice(start, end)),
    ["Ana  López", "ana lópez"],
  );
});

test("written e-mail, IBAN and card numbers", (t) => {
  const call = callOf("ana@mail.example, ES91 2100 0418 4502 0005 1332, 4111-1111-1111-1111");
  t.is(redact(call, recognise(call), "entity_name").text_redacted, "[EMAIL], [BANK_ACCOUNT], [CARD]");
});

const turns = fc.array(fc.string({ unit: fc.constantFrom(..."aB1 9,ñ😀") }), { minLength: 1, maxLength: 4 });

test("whatever the entities: offsets slice exactly, no character of theirs stays, everything else does", async (t) => {
  await fc.assert(
    fc.property(
      turns,
      fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat(), fc.constantFrom(...PII_TYPES), fc.nat(100))),
      (texts, picks) => {
        const call = callOf(...texts);
        const entities = picks.flatMap(([turn, a, b, type, confidence]) => {
          const utterance = turn % texts.length;
          const { length } = texts[utterance] as string;
          if (length === 0) return [];
          const start = a % length;
          return [entity(type, utterance, start, start + 1 + (b % (length - start)), confidence / 100)];
        });
        const { utterances_redacted, entities: said } = redact(call, entities, "mask");
        const named = redact(call, entities, "entity_name");
        texts.forEach((text, utterance) => {
          const covered = (place: number) =>
            entities.some((one) => one.utterance === utterance && one.start <= place && place < one.end);
          const expected = [...text.split("")].map((sign, place) => (covered(place) ? "*" : sign)).join("");
          t.is(utterances_redacted[utterance]?.text, expected);
          const pieces = said.filter((one) => one.utterance === utterance);
          let rebuilt = named.utterances_redacted[utterance]?.text as string;
          for (const { type, start, end } of pieces) {
            t.true(rebuilt.includes(`[${type}]`));
            rebuilt = rebuilt.replace(`[${type}]`, () => text.slice(start, end));
          }
          t.is(rebuilt, text);
        });
      },
    ),
  );
});
