import { measure } from "../bench/command.ts";
import type { Evaluation } from "./evaluation.ts";
import { long } from "./long/long.ts";
import { roles } from "./roles/roles.ts";
import { speech } from "./speech/speech.ts";
import { understanding } from "./understanding/understanding.ts";

/** By their names on the command line. */
const evaluations: Record<string, Evaluation> = { long, roles, speech, understanding };

const command = {
  name: "eval",
  noun: "evaluation",
  measurements: evaluations,
  notes: `Sets are made or fetched once into $XDG_CACHE_HOME/escriba/eval or ~/.cache/escriba/eval; what was
transcribed is kept there too, so that an evaluation that was ended carries on. docs/quality.md shows the figures.`,
};

process.exitCode = await measure(command, process.argv.slice(2));
