import { parseArgs } from "node:util";
import * as z from "zod";
import { createLog } from "../process/log.ts";
import { Registry } from "../process/metrics.ts";
import { readSettings } from "../process/settings.ts";
import { createUnderstandingMetrics } from "../understanding/metrics.ts";
import { calibrateModel, callsForModel } from "../understanding/roles/calibration/calibrate-model.ts";
import { PASS } from "../understanding/roles/calibration/pass.ts";
import { createUpstreams } from "../upstream/clients.ts";
import { schema as workerSchema } from "../workflows/config.ts";
import { type Command, UsageError } from "./command.ts";

const { ESCRIBA_UPSTREAMS, ESCRIBA_UNDERSTANDING_MODEL } = workerSchema.shape;
const schema = z.object({ ESCRIBA_UPSTREAMS, ESCRIBA_UNDERSTANDING_MODEL });

const AT_ONCE = 4;

export const rolesCalibrate: Command = {
  usage: "[--calls N] [--at-once N]",
  details: `Asks the model that reads transcripts who is who in ${callsForModel().length} written calls, and prints the value for
ESCRIBA_ROLES_CALIBRATION on standard output. With it, and when ${PASS * 100} % of the answers were right (exit code 0), the
model has a vote on roles; otherwise only the heuristic has. To be done again for another model, and when a release
changes the question. --calls asks about the first N only, for a look; --at-once says how many at a time (${AT_ONCE}).`,
  settings: schema,
  async run(args, environment) {
    const { values } = parseArgs({ args, options: { calls: { type: "string" }, "at-once": { type: "string" } } });
    const { ESCRIBA_UPSTREAMS: upstreams, ESCRIBA_UNDERSTANDING_MODEL: model } = readSettings(schema, environment);
    const all = callsForModel();
    const calls = all.slice(0, count(values.calls, "--calls") ?? all.length);
    const [log, registry] = [createLog("roles", "warn"), new Registry()];
    const clients = createUpstreams(upstreams, { log, registry });
    const metrics = createUnderstandingMetrics(registry);
    try {
      const client = clients.of(model);
      if (!client) throw new UsageError(`ESCRIBA_UPSTREAMS has no server for ${model}`);
      const { calibration, score } = await calibrateModel(
        { client, random: Math.random, signal: new AbortController().signal, log, metrics },
        {
          calls,
          atOnce: count(values["at-once"], "--at-once") ?? AT_ONCE,
          onCall: (done) => done % 10 === 0 && console.error(`${done} of ${calls.length} calls`),
        },
      );
      const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
      console.error(
        `${calibration.model}: ${score.answered} of ${score.calls} calls answered, ${percent(score.precision)} of it right, ${percent(score.coverage)} of those with an answer. ${score.passed ? "It may vote" : "It may not vote"}.`,
      );
      console.log(JSON.stringify(calibration));
      return score.passed ? 0 : 1;
    } finally {
      await clients.close();
    }
  },
};

function count(text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new UsageError(`${option} wants a whole number of at least 1`);
  return Number(text);
}
