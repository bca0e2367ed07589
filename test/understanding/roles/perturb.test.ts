import test from "ava";
import { exchangeSpeakers, perturb, UNDISTURBED } from "../../../understanding/roles/calibration/perturb.ts";
import { draw, readTemplates, seeded } from "../../../understanding/roles/calibration/templates.ts";

const TEXT = `= one inbound
A {Hello|Good morning}, how can I help you today with your account?
C My number is ####.
A Thank you for that, one moment please.

= two ivr
I Press one.
C Hello?
`;

test("templates: choices, digits, speakers by who speaks first, roles by voice", (t) => {
  const [one, two] = readTemplates(TEXT, "en");
  t.is(one?.lines.length, 3);
  const drawn = one && draw(one, seeded(1));
  t.deepEqual(drawn?.truth, { "0": "agent", "1": "customer" });
  t.regex(drawn?.call.utterances[1]?.text ?? "", /^My number is \d{4}\.$/);
  t.deepEqual(drawn?.call, (one && draw(one, seeded(1)))?.call);
  t.deepEqual((two && draw(two, seeded(1)))?.truth, { "0": null, "1": "customer" });
});

test("templates: a line of another form is refused with its number", (t) => {
  t.throws(() => readTemplates("= one inbound\nhello", "en"), { message: /line 2/ });
  t.throws(() => readTemplates("A hello", "en"), { message: /line 1/ });
});

test("disturbances: words change, speakers shift at turn ends, turns are lost, and nothing else happens", (t) => {
  const [template] = readTemplates(TEXT, "en");
  const call = template ? draw(template, seeded(1)).call : t.fail();
  if (!call) return;
  t.deepEqual(perturb(call, UNDISTURBED, seeded(2)), call);
  const misheard = perturb(call, { ...UNDISTURBED, wordErrors: 0.5 }, seeded(2));
  t.notDeepEqual(misheard.utterances, call.utterances);
  const confused = perturb(call, { ...UNDISTURBED, speakerErrors: 0.2 }, seeded(2));
  t.is(said(confused), said(call));
  t.not(confused.utterances.length, call.utterances.length);
  t.is(perturb(call, { ...UNDISTURBED, lateTurns: 2 }, seeded(2)).utterances.length, 1);
  t.is(perturb(call, { ...UNDISTURBED, lostTurns: 1 }, seeded(2)).utterances.length, 0);
  t.notRegex(said(perturb(call, { ...UNDISTURBED, unpunctuated: true }, seeded(2))), /[.,?A-Z]/);
  const exchanged = exchangeSpeakers(call, seeded(2));
  t.is(exchanged.utterances[0]?.speaker, "0");
  t.is(exchanged.utterances.at(-1)?.speaker, "1");
});

const said = ({ utterances }: { utterances: readonly { text: string }[] }) =>
  utterances.map(({ text }) => text).join(" ");
