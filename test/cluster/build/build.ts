/**
 * `npm run cluster:build`: makes the programs of a real control plane for the tests (kube-apiserver and what belongs to
 * it, etcd, KWOK, helm), and with --node those of a real node, once, into the user's cache. Any number of processes may
 * run it at once: one makes, the others wait.
 */
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { withLock } from "../../../models/lock.ts";
import { buildOf, clusterProgram, programNames, RECIPES } from "../programs.ts";
import { BuildFailed, compile } from "./compile.ts";

const HELP = `Usage: npm run cluster:build -- [--node] [PROGRAM…]
       npm run --silent cluster:build -- --where PROGRAM

Makes the programs that the control plane tests run, all or those named: ${programNames("control plane").join(", ")};
with --node those of a real node too, for npm run test:node: ${programNames("node").join(", ")}.
They come from the Go module proxy, at the versions of test/cluster/build/*/go.mod, and are kept in
$XDG_CACHE_HOME/escriba/cluster or ~/.cache/escriba/cluster. What is there is not made again, and what is in the
directory that KUBEBUILDER_ASSETS names is not made at all. Everything takes a quarter of an hour of two cores
the first time; a build that was ended carries on where it stopped.

  --node            the programs of a real node as well
  --where PROGRAM   the path of a program that is there, else exit code 1
  --help`;

process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
  const options = {
    node: { type: "boolean" },
    where: { type: "string" },
    help: { type: "boolean", short: "h" },
  } as const;
  let parsed: ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true }>>;
  try {
    parsed = parseArgs({ args, options, allowPositionals: true });
    const unknown = [...parsed.positionals, parsed.values.where ?? "helm"].find((one) => !programNames().includes(one));
    if (unknown !== undefined)
      throw new Error(`no program is called ${unknown}; there are ${programNames().join(", ")}`);
  } catch (error) {
    console.error(`cluster:build: ${(error as Error).message}`);
    return 2;
  }
  if (parsed.values.help) {
    console.log(HELP);
    return 0;
  }
  if (parsed.values.where !== undefined) {
    const path = clusterProgram(parsed.values.where);
    console[path ? "log" : "error"](path ?? `${parsed.values.where} is missing; run \`npm run cluster:build\``);
    return path ? 0 : 1;
  }
  try {
    const all = programNames(parsed.values.node ? undefined : "control plane");
    await makeAll(parsed.positionals.length > 0 ? parsed.positionals : all);
    return 0;
  } catch (error) {
    console.error(`cluster:build: ${error instanceof BuildFailed ? error.message : (error as Error).stack}`);
    return 1;
  }
}

async function makeAll(wanted: readonly string[]): Promise<void> {
  for (const recipe of RECIPES) {
    const programs = Object.keys(recipe.packages).filter((program) => wanted.includes(program));
    const build = buildOf(recipe, process.env);
    for (const program of programs) {
      const name = `${program} ${build.version}`;
      const say = (line: string) => console.error(`cluster:build: ${name}: ${line}`);
      const present = clusterProgram(program);
      if (present) {
        say(`is there: ${present}`);
        continue;
      }
      await mkdir(dirname(build.home), { recursive: true });
      // One lock for all: two builds at a time would only fetch and compile the same things twice.
      await withLock(join(dirname(build.home), ".lock"), { onWait: once(say) }, async () => {
        if (existsSync(join(build.home, program))) return;
        say("is being made");
        say(`made: ${await compile(build, program, say)}`);
      });
    }
  }
}

function once(say: (line: string) => void): (holder: string) => void {
  let said = false;
  return (holder) => {
    if (!said) say(`waiting for ${holder}, which is building`);
    said = true;
  };
}
