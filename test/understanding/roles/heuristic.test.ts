import test from "ava";
import { score } from "../../../understanding/roles/calibration/score.ts";
import { calibrationTemplates, drawCalls, drawExchangedCalls } from "../../../understanding/roles/calibration/sets.ts";
import type { WrittenCall } from "../../../understanding/roles/calibration/templates.ts";
import { heuristicVote } from "../../../understanding/roles/heuristic.ts";
import type { Call } from "../../../understanding/types.ts";

/** Lines like "0 what the first speaker says". */
function call(language: string, ...lines: string[]): Call {
  const utterances = lines.map((line, index) => {
    const [speaker = "", ...words] = line.split(" ");
    return { speaker, speakerRole: null, text: words.join(" "), start: index * 3, end: index * 3 + 2 };
  });
  return { language, utterances };
}

/** Of calls that the heuristic would answer alone. */
function outcomes(calls: readonly WrittenCall[]) {
  const votes = calls.map(({ call, truth }) => ({ vote: heuristicVote(call), truth }));
  const alone = votes.flatMap(({ vote, truth }) => (vote && !vote.unusual ? [{ vote, truth }] : []));
  const right = alone.filter(({ vote, truth }) =>
    Object.entries(vote.roles).every(([speaker, role]) => role === null || role === truth[speaker]),
  );
  return { calls: calls.length, attributed: alone.length, right: right.length };
}

const inbound = ({ kind }: WrittenCall) => kind === "inbound";

test("Spanish: who greets for the company and asks is the agent, who has a line and a problem the customer", (t) => {
  const vote = heuristicVote(
    call(
      "es",
      "0 Telefónica, buenos días, le atiende Laura. ¿En qué puedo ayudarle?",
      "1 Hola, llamo porque mi línea no funciona desde ayer.",
      "0 ¿Me dice su número de teléfono, por favor?",
      "1 Sí, es el seis uno dos tres cuatro cinco.",
      "0 Un momento, por favor, que lo compruebo.",
    ),
  );
  t.deepEqual(vote?.roles, { "0": "agent", "1": "customer" });
  t.is(vote?.unusual, null);
  t.true((vote?.confidence ?? 0) > 0.9);
});

test("English, in the other order", (t) => {
  const vote = heuristicVote(
    call(
      "en",
      "0 Hello, is this the bank? My card was charged twice and I want my money back.",
      "1 I'm sorry to hear that. Can I have your account number please?",
      "0 It's four four seven one nine two.",
      "1 Thank you. Let me pull up your account. I'll refund that for you today. Is there anything else I can help you with?",
      "0 No, that's all, thanks for your help.",
    ),
  );
  t.deepEqual(vote?.roles, { "0": "customer", "1": "agent" });
});

test("capitals, accents and punctuation are not needed", (t) => {
  const vote = heuristicVote(
    call(
      "es",
      "0 gracias por llamar a banco norte en que le puedo servir",
      "1 mire es que me cobraron dos veces en mi tarjeta",
      "0 me confirma su nombre completo",
      "1 rosa diaz",
      "0 permitame un momento voy a revisar",
    ),
  );
  t.deepEqual(vote?.roles, { "0": "agent", "1": "customer" });
});

test("a language without a lexicon, one speaker, no speakers and no words: the heuristic abstains", (t) => {
  t.is(heuristicVote(call("de", "0 Guten Tag, wie kann ich Ihnen helfen?", "1 Meine Leitung geht nicht.")), null);
  t.is(heuristicVote(call("en", "0 Thank you for calling, how can I help you? Can I have your account number?")), null);
  const unknown = call("en", "0 Thank you for calling, how can I help you?", "1 My line is broken and I need help.");
  t.is(heuristicVote({ ...unknown, utterances: unknown.utterances.map((turn) => ({ ...turn, speaker: null })) }), null);
  t.is(heuristicVote({ language: "es", utterances: [] }), null);
});

test("friends, colleagues, a job interview: nobody speaks like a company, hardly anybody is an agent", (t) => {
  const none = drawCalls(calibrationTemplates(), 2, 5).filter(({ kind }) => kind === "inbound-none");
  t.true(none.length >= 100);
  const { attributed } = outcomes(none);
  t.true(attributed <= 0.05 * none.length, `${attributed} of ${none.length}`);
});

test("somebody who calls for a company, a menu, a third voice: the heuristic does not answer alone", (t) => {
  const clean = drawCalls(calibrationTemplates(), 2, 5).filter(({ disturbance }) => disturbance === "clean");
  for (const kind of ["outbound", "transfer", "ivr", "three-way", "one-sided"]) {
    const calls = clean.filter((drawn) => drawn.kind === kind);
    t.true(calls.length > 0);
    t.is(outcomes(calls).attributed, 0, kind);
  }
});

test("a call of three is answered speaker by speaker, several agents among them", (t) => {
  const vote = heuristicVote(
    call(
      "en",
      "0 Thank you for calling Northbank, this is Ann, how can I help you?",
      "1 Hi, I'm calling about my mortgage, I want to know why my payment went up.",
      "0 Can I have your account number please? ... Thank you. I'll transfer you to our mortgage department.",
      "1 Okay, my account number is four four one two.",
      "2 Mortgage department, this is Bob speaking, how can I help? Can I have your name please?",
      "1 My name is Joe Smith and I don't understand my bill.",
      "2 Let me pull up your account. I'll send you a letter within five business days. Is there anything else?",
      "1 No, thank you so much for your help.",
    ),
  );
  t.deepEqual(vote?.roles, { "0": "agent", "1": "customer", "2": "agent" });
  t.is(vote?.unusual, "several-speakers");
});

test("a diarizer that exchanges the speakers in mid-call: hardly ever answered", (t) => {
  const { calls, attributed } = outcomes(drawExchangedCalls(calibrationTemplates(), 2, 11));
  t.true(calls >= 100);
  t.true(attributed <= 0.1 * calls, `${attributed} of ${calls}`);
});

test("the heuristic passes its calibration: 95 % of what it answers alone is right", (t) => {
  const scored = drawCalls(calibrationTemplates(), 2, 3).map((written) => {
    const vote = heuristicVote(written.call);
    return { written, vote: vote?.unusual ? null : vote };
  });
  const { answered, precision, passed } = score(scored);
  t.true(answered >= 300);
  t.true(passed, String(precision));
});

test("calls of the calibration as they are recognised: 98 % right, 80 % answered", (t) => {
  for (const language of ["es", "en"]) {
    const calls = drawCalls(calibrationTemplates(), 2, 3).filter(
      (drawn) => inbound(drawn) && drawn.call.language === language && /clean|recognised/.test(drawn.disturbance),
    );
    const { attributed, right } = outcomes(calls);
    t.true(right >= 0.98 * attributed, `${language}: ${right} of ${attributed}`);
    t.true(attributed >= 0.8 * calls.length, `${language}: ${attributed} of ${calls.length}`);
  }
});
