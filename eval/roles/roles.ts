import { table } from "../../bench/benchmark.ts";
import { attributeRoles } from "../../understanding/roles/attribute.ts";
import { isRight } from "../../understanding/roles/calibration/score.ts";
import {
  calibrationTemplates,
  DISTURBANCES,
  type DisturbedCall,
  drawCalls,
  templatesIn,
} from "../../understanding/roles/calibration/sets.ts";
import type { Evaluation } from "../evaluation.ts";
import { wilson } from "../speech/measure/intervals.ts";

/** Each template is drawn so often under each disturbance: three make over a hundred inbound calls of each. */
const TIMES = 3;
const SEED = 20;
/** Words misheard and words given to the wrong speaker as often as in a call over a fair line. */
const FAIR = ["clean", "recognised"];
const PRECISION = 0.98;
const COVERAGE = 0.8;

export const roles: Evaluation = {
  summary: "who is the agent, from written calls that nobody tuned on",
  help: `Reads calls as text, disturbed as recognition and diarization disturb them, and asks the heuristic, without a
model. Inbound calls count for precision and coverage; all other kinds (outbound, transferred, with a menu, three-way,
one-sided, without a company) must be left null. Targets, over clean and fairly recognised calls: precision ${PRECISION},
coverage ${COVERAGE}. Calls of one template are much alike: the interval is that of the calls, so take it as a lower bound of
what is not known. The same through real audio: npm run eval -- speech --only roles.

  --split NAME   held-out (default) or development: the calibration calls`,
  options: { split: { type: "string" } },

  async run({ split = "held-out" }) {
    if (split !== "held-out" && split !== "development") throw new Error("--split wants held-out or development");
    const templates = split === "held-out" ? templatesIn(`${import.meta.dirname}/held-out`) : calibrationTemplates();
    const answered = await Promise.all(drawCalls(templates, TIMES, SEED).map(answer));
    const inbound = answered.filter(({ written }) => written.kind === "inbound");
    const fair = measured(inbound.filter(({ written }) => FAIR.includes(written.disturbance)));
    const others = answered.filter(({ written }) => written.kind !== "inbound");
    const kinds = [...new Set(others.map(({ written }) => written.kind))];
    const rows = ["es", "en"].flatMap((language) =>
      Object.keys(DISTURBANCES).map((disturbance) => {
        const some = inbound.filter(
          ({ written }) => written.call.language === language && written.disturbance === disturbance,
        );
        return { name: `${language} ${disturbance}`, ...measured(some) };
      }),
    );
    return {
      table: [
        table([
          ["inbound calls", "calls", "precision", "95 % from", "coverage"],
          ...[...rows, { name: "clean and recognised", ...fair }, { name: "all", ...measured(inbound) }].map((row) => [
            ...[row.name, String(row.calls), percent(row.precision), percent(row.low), percent(row.coverage)],
          ]),
        ]),
        table([
          ["other calls", "calls", "left null", "right", "wrong"],
          ...kinds.map((kind) => {
            const some = others.filter(({ written }) => written.kind === kind);
            const right = some.filter((one) => one.vote !== null && isRight(one)).length;
            const left = some.filter(({ vote }) => vote === null).length;
            return [kind, some.length, left, right, some.length - left - right].map(String);
          }),
        ]),
      ].join("\n\n"),
      figures: {
        split,
        role_text_calls: fair.calls,
        role_text_precision: fair.precision,
        role_text_precision_low: fair.low,
        role_text_coverage: fair.coverage,
        role_text_coverage_all: measured(inbound).coverage,
        role_text_precision_all: measured(inbound).precision,
        role_text_left_null: others.filter(({ vote }) => vote === null).length / others.length,
        role_text_misled: others.filter((one) => one.vote !== null && !isRight(one)).length / others.length,
      },
      passed: fair.precision >= PRECISION && fair.coverage >= COVERAGE,
    };
  },
};

async function answer(written: DisturbedCall) {
  const { roles: given, confidence } = await attributeRoles({ call: written.call, warnings: [] });
  return { written, vote: confidence > 0 ? { roles: given, confidence } : null };
}

function measured(some: readonly Awaited<ReturnType<typeof answer>>[]) {
  const attributed = some.filter(({ vote }) => vote !== null);
  const right = attributed.filter(isRight).length;
  return {
    calls: some.length,
    precision: attributed.length === 0 ? 0 : right / attributed.length,
    low: wilson(right, attributed.length)?.low ?? 0,
    coverage: some.length === 0 ? 0 : attributed.length / some.length,
  };
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
