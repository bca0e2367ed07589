import { writeFile } from "node:fs/promises";
import { seeded } from "../../../../understanding/roles/calibration/templates.ts";
import { readExamples } from "./examples.ts";
import { type Fitted, fitTo } from "./fit.ts";

/** Fits what a sentence that is said to a machine sounds like, and writes `understanding/machine-talk/fitted.ts`. */
const groups = await readExamples(seeded(1));
const { weights, bias } = fitTo(
  groups.flatMap(({ examples }) => examples),
  seeded(2),
);
await writeFile(
  new URL("../../../../understanding/machine-talk/fitted.ts", import.meta.url),
  `/** Written by \`npm run fit-orders\`; a weight a byte, two's complement, base64. */
export const FITTED = {
  bias: ${bias.toFixed(4)},
  unit: ${unitOf(weights)},
  weights:
    "${Buffer.from(Int8Array.from(weights, (weight) => Math.round(weight / unitOf(weights))).buffer).toString("base64")}",
};
`,
);

/** What the smallest step of a byte stands for. */
function unitOf(weights: Fitted["weights"]): number {
  const most = weights.reduce((largest, weight) => Math.max(largest, Math.abs(weight)), 0);
  return Number((most / 127).toPrecision(4));
}
