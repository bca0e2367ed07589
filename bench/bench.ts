import { parseArgs } from "node:util";
import { api } from "./api.ts";
import { asr } from "./asr.ts";
import type { Benchmark } from "./benchmark.ts";
import { memory } from "./memory.ts";
import { wer } from "./wer.ts";

const BENCHMARKS: Record<string, Benchmark> = { api, asr, memory, wer };

const HELP = `Usage: npm run bench -- NAME [options] [--json]

${Object.entries(BENCHMARKS)
  .map(([name, { summary }]) => `  ${name.padEnd(8)} ${summary}`)
  .join("\n")}

  --json   one JSON object as the last line of standard output; the table goes to standard error
  --help   with a NAME: its options

What a benchmark needs (speech, a Python environment, weights) is fetched once into
$XDG_CACHE_HOME/escriba/bench or ~/.cache/escriba/bench. docs/performance.md explains the figures.
`;

process.exitCode = await main(process.argv.slice(2));

async function main([name, ...args]: string[]): Promise<number> {
  if (!name || name.startsWith("-")) {
    process.stdout.write(HELP);
    return name === "--help" || name === "-h" ? 0 : 2;
  }
  const benchmark = BENCHMARKS[name];
  if (!benchmark) {
    console.error(`bench: there is no benchmark ${name}; there are ${Object.keys(BENCHMARKS).join(", ")}`);
    return 2;
  }
  try {
    const { values } = parseArgs({
      args,
      options: { ...benchmark.options, json: { type: "boolean" }, help: { type: "boolean", short: "h" } },
    });
    if (values.help) {
      process.stdout.write(`${benchmark.summary}\n\n${benchmark.help}\n`);
      return 0;
    }
    const say = (line: string) => console.error(`bench: ${line}`);
    const { table, figures, passed } = await benchmark.run(values as Record<string, string | undefined>, say);
    (values.json ? console.error : console.log)(table);
    if (values.json) console.log(JSON.stringify(figures));
    return passed ? 0 : 1;
  } catch (error) {
    console.error(`bench: ${error instanceof Error ? error.message : error}`);
    return 1;
  }
}
