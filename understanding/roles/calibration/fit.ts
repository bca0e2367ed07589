import { writeFileSync } from "node:fs";
import { weigh } from "../balance.ts";
import { CUES } from "../cues/cue-names.ts";
import { lexiconsFor } from "../cues/lexicons.ts";
import { countsOf, difference, type HeardTurn, hearTurns } from "../evidence.ts";
import { speakersOf, turnsOf } from "../turns.ts";
import { unusualCourse } from "../unusual.ts";
import { fitConfidence } from "./fit-confidence.ts";
import { fitWeights } from "./fit-weights.ts";
import { importanceOf } from "./score.ts";
import { calibrationTemplates, type DisturbedCall, drawCalls, drawExchangedCalls } from "./sets.ts";

/** `npm run fit-roles`: writes ../fitted.ts from the calibration calls and nothing else. */

const TIMES = 4;
/**
 * A call counts a tenth: its five disturbances and four draws are much the same call, and a written call stands for few
 * real ones.
 */
const IMPORTANCE = 0.1;

/** Kinds of calls in which no attribution is right. */
const WITHOUT_ANSWER = ["inbound-none", "exchanged"];

const templates = calibrationTemplates();
const calls = [...drawCalls(templates, TIMES, 1), ...drawExchangedCalls(templates, TIMES, 1)].flatMap(heardCall);
const weights = fitWeights(
  calls
    .filter(({ kind }) => kind === "inbound")
    .map(({ agent, customer, heard }) => ({
      features: difference(countsOf(agent, heard), countsOf(customer, heard)),
      importance: IMPORTANCE,
    })),
);
const kinds = calls.map(({ kind }) => kind);
const confidence = fitConfidence(
  calls.map(({ kind, agent, customer, heard }) => {
    const balance = weigh(agent, customer, heard, weights);
    const importance = importanceOf(kind, kinds);
    return { balance, importance, right: !WITHOUT_ANSWER.includes(kind) && balance.margin > 0 };
  }),
);

const number = (value: number) => String(Number(value.toFixed(4)));
writeFileSync(
  `${import.meta.dirname}/../fitted.ts`,
  `/** Written by \`npm run fit-roles\` from ${calls.length} drawn calibration calls; edit those instead. */

/** What one more of a cue says for the agent, in log-odds; in the order of CUES. */
export const WEIGHTS: readonly number[] = [
${CUES.map((cue, k) => `  ${number(weights[k] ?? 0)}, // ${cue}`).join("\n")}
];

export const CONFIDENCE = {
  intercept: ${number(confidence.intercept)},
  slopes: [${confidence.slopes.map(number).join(", ")}],
};
`,
);

interface HeardCall {
  kind: string;
  agent: string;
  customer: string;
  heard: HeardTurn[];
}

/** Both sides of a call of two speakers that the heuristic would judge alone; where there are no sides, any two. */
function heardCall({ kind, call, truth }: DisturbedCall): HeardCall[] {
  const lexicons = lexiconsFor(call.language);
  const turns = turnsOf(call);
  const speakers = speakersOf(turns);
  if (speakers.length !== 2 || unusualCourse(turns, speakers, lexicons)) return [];
  const [agent, customer] = speakers.toSorted((one) => (truth[one] === "agent" ? -1 : 1));
  return agent && customer ? [{ kind, agent, customer, heard: hearTurns(turns, lexicons) }] : [];
}
