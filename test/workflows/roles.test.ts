import test from "ava";
import { encodeVoiceprints } from "../../speech/diarization/voiceprints.ts";
import type { Utterance, Window } from "../../speech/types.ts";
import { readResult, readSubtitles } from "../../storage/results.ts";
import { promptFingerprint } from "../../understanding/roles/model-vote.ts";
import { speaking } from "../speech/voices.ts";
import { type Double, says, startDouble } from "../upstream/double.ts";
import { DoubleEngine, preparing } from "./doubles.ts";
import { type Stack, startStack } from "./stack.ts";

/** The engine is a double that says who says what in each window of 2 s; the steps, the store and Temporal are real. */
let stack: Stack;
let model: Double;
test.before(async () => {
  [stack, model] = await Promise.all([startStack(), startDouble()]);
});
test.after.always(async () => {
  await stack?.stop();
  await model?.stop();
});

/** Two windows each, in turn. */
const AGENT = [
  ...["Seguros Alba, buenos días, le atiende Laura.", "¿En qué puedo ayudarle?"],
  ...["Lamento las molestias, señor.", "¿Me dice su número de póliza, por favor?"],
  ...["Gracias.", "Un momento, por favor, que lo compruebo en el sistema."],
  ...["Aquí veo que su recibo está duplicado.", "Le devolvemos el importe en cinco días hábiles."],
  ...["Queda solucionado.", "¿Puedo ayudarle en algo más?"],
  ...["Gracias por llamar.", "Que tenga un buen día."],
];
const CUSTOMER = [
  ...["Hola, buenos días.", "Llamo porque me han cobrado dos veces mi seguro."],
  ...["Sí, un momento que lo busco.", "Mi póliza es la cuatro cinco seis siete."],
  ...["Vale.", "Es que no entiendo mi factura."],
  ...["¿Y cuándo me lo devuelven?", "Necesito el dinero."],
  ...["No, nada más.", "Muchas gracias por su ayuda."],
  ...["Igualmente.", "Hasta luego."],
];
const CONTRARY = { roles: { "0": "customer", "1": "agent" }, certain: true };

const isAgent = ({ index }: Window) => index % 4 < 2;
const said = (window: Window) =>
  (isAgent(window) ? AGENT : CUSTOMER)[Math.floor(window.index / 4) * 2 + (window.index % 2)] ?? "";
const voice = (window: Window) =>
  encodeVoiceprints(
    speaking([{ voice: isAgent(window) ? 3 : 1, seconds: 2 }], {
      ...{ seed: window.index, from: window.spans[0]?.start ?? 0 },
    }),
  );

async function transcribed(environment: Record<string, string> = {}) {
  const before = model.seen.length;
  const engine = new DoubleEngine(undefined, voice, {}, said);
  const worker = await stack.worker({ engine, prepareAudio: preparing(6, 4) }, environment);
  try {
    const submitted = await stack.submit(Buffer.from("a recording"), { language: "es" });
    const row = await submitted.final();
    const result = await readResult(stack.postgres.db, submitted.id);
    return {
      status: row?.status,
      warnings: result?.warnings,
      confidence: result?.speakerRoleConfidence ?? -1,
      roles: (JSON.parse(result?.utterances ?? "[]") as Utterance[]).map(({ speakerRole }) => speakerRole),
      txt: (await readSubtitles(stack.postgres.db, submitted.id, "txt")) ?? "",
      asked: model.seen.length - before,
    };
  } finally {
    await worker.drain();
  }
}

const upstreams = () => JSON.stringify({ "service-llm-1-small": { url: model.url, model: "theirs" } });
const calibrated = (changes: object = {}) =>
  JSON.stringify({ model: "theirs", prompt: promptFingerprint(), calls: 172, answered: 150, precision: 1, ...changes });

test.serial("roles reach the transcript and its subtitles; a model that was not calibrated is not asked", async (t) => {
  for (const calibration of ["", calibrated({ model: "another" })]) {
    const { status, warnings, confidence, roles, txt, asked } = await transcribed({
      ...{ ESCRIBA_UPSTREAMS: upstreams(), ESCRIBA_ROLES_CALIBRATION: calibration },
    });
    t.is(status, "completed");
    t.deepEqual(warnings, []);
    t.true(confidence >= 0.85 && confidence < 1, String(confidence));
    t.true(roles.length > 10 && roles.every((role) => role !== null));
    t.regex(txt, /^Agent: Seguros Alba/);
    t.regex(txt, /\nCustomer: Llamo porque me han cobrado/);
    t.is(asked, 0);
  }
});

test.serial("a calibrated model votes: equal is surer, contrary leaves every role null and says so", async (t) => {
  const voting = { ESCRIBA_UPSTREAMS: upstreams(), ESCRIBA_ROLES_CALIBRATION: calibrated() };
  model.answer(says(JSON.stringify({ roles: { "0": "agent", "1": "customer" }, certain: true })));
  const equal = await transcribed(voting);
  t.is(equal.asked, 1);
  t.true(equal.confidence >= 0.99, String(equal.confidence));
  t.deepEqual(equal.warnings, []);

  model.answer(says(JSON.stringify(CONTRARY)));
  const contrary = await transcribed(voting);
  t.is(contrary.status, "completed");
  t.deepEqual(contrary.warnings, ["attribution_heuristic_disagrees"]);
  t.is(contrary.confidence, 0);
  t.true(contrary.roles.every((role) => role === null));
  t.regex(contrary.txt, /^Speaker 0: /);
});
