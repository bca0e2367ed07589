import { api } from "./api.ts";
import { asr } from "./asr.ts";
import { measure } from "./command.ts";
import { memory } from "./memory.ts";
import { operator } from "./operator.ts";
import { wer } from "./wer.ts";

const bench = {
  name: "bench",
  noun: "benchmark",
  measurements: { api, asr, memory, operator, wer },
  notes: `What a benchmark needs (speech, a Python environment, weights) is fetched once into
$XDG_CACHE_HOME/escriba/bench or ~/.cache/escriba/bench. docs/performance.md explains the figures.`,
};

process.exitCode = await measure(bench, process.argv.slice(2));
