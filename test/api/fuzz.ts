/** `npm run fuzz`: schemathesis over the whole API, for as long as one likes. */
import { parseArgs } from "node:util";
import { runSchemathesis } from "./schemathesis.ts";

const HELP = `Usage: npm run fuzz -- [--examples N] [--seed N]

Starts the API on a PostgreSQL of its own and sends it what schemathesis makes of /openapi.json.

  --examples N  requests for each route and phase (500, which takes about five minutes)
  --seed N      the same seed sends the same requests (the time of day)
`;

const { values } = parseArgs({
  options: { examples: { type: "string" }, seed: { type: "string" }, help: { type: "boolean" } },
});
if (values.help) {
  process.stdout.write(HELP);
} else {
  const result = await runSchemathesis({
    examples: Number(values.examples ?? 500),
    seed: Number(values.seed ?? Date.now()),
  });
  process.stdout.write(result.output);
  process.exitCode = result.code ?? 1;
}
