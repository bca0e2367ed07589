import test from "ava";
import { attributeRoles } from "../../../understanding/roles/attribute.ts";
import { combine } from "../../../understanding/roles/combine.ts";
import type { HeuristicVote } from "../../../understanding/roles/heuristic.ts";
import type { Vote } from "../../../understanding/roles/vote.ts";
import type { Call, Role } from "../../../understanding/types.ts";

const heuristic = (roles: Record<string, Role | null>, confidence = 0.93): HeuristicVote => ({
  ...{ roles, confidence, unusual: null },
});
const model = (roles: Record<string, Role | null>, confidence = 0.97): Vote => ({ roles, confidence });
const NOBODY = { roles: {}, confidence: 0, warnings: [] };
const AGENT_FIRST = { "0": "agent", "1": "customer" } as const;

test("nobody votes: nobody has a role, and the confidence is 0", (t) => {
  t.deepEqual(combine(null, null), NOBODY);
});

test("equal votes are attributed, as sure as the surer one", (t) => {
  t.deepEqual(combine(heuristic(AGENT_FIRST), model(AGENT_FIRST)), {
    ...{ roles: AGENT_FIRST, confidence: 0.97, warnings: [] },
  });
});

test("attribution_heuristic_disagrees: contrary votes leave every role null", (t) => {
  const other = model({ "0": "customer", "1": "agent" });
  t.deepEqual(combine(heuristic(AGENT_FIRST), other), {
    ...{ roles: {}, confidence: 0, warnings: ["attribution_heuristic_disagrees"] },
  });
});

test("one vote alone counts with its own confidence", (t) => {
  t.is(combine(heuristic(AGENT_FIRST), null).confidence, 0.93);
  t.is(combine(null, model(AGENT_FIRST)).confidence, 0.97);
});

test("in a call of unusual course the heuristic needs the model, and only what both say counts", (t) => {
  const roles = { "0": "agent", "1": "customer", "2": "agent" } as const;
  const unusual: HeuristicVote = { ...heuristic(roles), unusual: "several-speakers" };
  t.deepEqual(combine(unusual, null), NOBODY);
  t.deepEqual(combine(unusual, model({ ...roles, "2": null })).roles, { ...AGENT_FIRST, "2": null });
  t.deepEqual(combine(unusual, model({ ...roles, "2": "customer" })).warnings, ["attribution_heuristic_disagrees"]);
});

test("what only one of two equal votes knows of a third speaker is taken from it", (t) => {
  const roles = { ...AGENT_FIRST, "2": "agent" } as const;
  t.deepEqual(combine(heuristic({ ...AGENT_FIRST, "2": null }), model(roles)).roles, roles);
});

test("an agent without a customer is not said", (t) => {
  t.deepEqual(combine(null, model({ "0": "agent", "1": null })), NOBODY);
});

const CALL: Call = {
  language: "en",
  utterances: [
    "Thank you for calling Northbank, how can I help you?",
    "Hi, my card was charged twice and I want a refund.",
    "I'm sorry about that. Can I have your account number please?",
    "It's four four one two.",
  ].map((text, index) => ({ speaker: String(index % 2), speakerRole: null, text, start: index, end: index + 1 })),
};

test("no role where there is nobody to tell apart, and no model is asked about it", async (t) => {
  const never = () => t.fail() as never;
  for (const warning of ["diarization_single_speaker", "diarization_unavailable"])
    t.deepEqual(await attributeRoles({ call: CALL, warnings: [warning] }, never), NOBODY);
  const alone = { ...CALL, utterances: CALL.utterances.map((turn) => ({ ...turn, speaker: "0" })) };
  t.deepEqual(await attributeRoles({ call: alone, warnings: [] }, never), NOBODY);
});

test("without a model the heuristic answers alone; with one, both", async (t) => {
  const call = { call: CALL, warnings: ["diarization_low_minority_share"] };
  t.deepEqual((await attributeRoles(call)).roles, AGENT_FIRST);
  t.deepEqual((await attributeRoles(call, async () => null)).roles, AGENT_FIRST);
  const contrary = await attributeRoles(call, async () => model({ "0": "customer", "1": "agent" }));
  t.deepEqual(contrary.warnings, ["attribution_heuristic_disagrees"]);
});
