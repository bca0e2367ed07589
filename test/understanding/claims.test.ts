import test from "ava";
import { callOf, from, SPANISH, startModel } from "./model.ts";

async function pii(answer: unknown, more: object = {}, call = SPANISH) {
  const model = await startModel(from({ pii_redaction: answer }));
  try {
    return { ...(await model.understand("pii", call, more)), asked: model.asked };
  } finally {
    await model.stop();
  }
}

const NAMES = ["Laura Gómez", "Pedro Ruiz", "Ruiz"].map((text) => ({ type: "PERSON", text }));

test("the model's entities and those of the rules are redacted together; no value is left", async (t) => {
  const call = callOf(
    "es",
    "agent: Le atiende Laura Gómez.",
    "customer: Mi correo es pedro.ruiz@example.com, gracias Laura.",
  );
  const claims = [
    { type: "PERSON", text: "laura gómez" },
    { type: "PERSON", text: "Laura" },
    { type: "PERSON", text: "Napoleón" },
  ];
  const { pii: entity, delivered } = await pii(claims, {}, call);
  t.deepEqual(delivered, ["pii_redaction"]);
  t.is(entity?.text_redacted, "Le atiende [PERSON]. Mi correo es [EMAIL], gracias [PERSON].");
  const { pii: mask } = await pii(claims, { request: { pii_redaction: { policy: "mask" } } }, call);
  t.is(mask?.text_redacted, `Le atiende ${"*".repeat(11)}. Mi correo es ${"*".repeat(22)}, gracias *****.`);
  t.is(mask?.policy, "mask");
  for (const [index, { text }] of (entity?.utterances_redacted ?? []).entries())
    t.not(text, call.utterances[index]?.text);
});

test("rules alone are no redaction: without an answer that can be believed there is none", async (t) => {
  for (const answer of [
    undefined,
    "none",
    [{ type: "PERSON", text: "Napoleón" }],
    [{ type: "SECRET", text: "factura" }],
  ]) {
    const { pii: none, warnings, asked } = await pii(answer);
    t.is(none, undefined);
    t.deepEqual(warnings, ["module_failed:pii_redaction"]);
    t.is(asked.length, 2);
  }
});

test("an answer without a single name that somebody gave as theirs is not believed", async (t) => {
  t.deepEqual((await pii([])).warnings, ["module_failed:pii_redaction"]);
  t.deepEqual((await pii(NAMES)).warnings, []);
  t.deepEqual((await pii([], {}, callOf("es", "customer: Soy de Madrid y la factura ha subido."))).warnings, []);
});

test("an answer that takes most of the call for personal data is not believed", async (t) => {
  const text = Array.from({ length: 40 }, (_, i) => `La factura número ${i} ha subido mucho este mes`);
  const call = callOf("es", ...text.map((one) => `customer: ${one}.`));
  const claims = text.map((one) => ({ type: "ADDRESS", text: one }));
  t.deepEqual((await pii(claims, {}, call)).warnings, ["module_failed:pii_redaction"]);
});
