import { open } from "node:fs/promises";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import type { Difference } from "../operator/replay/difference.ts";
import { type Replayed, replay } from "../operator/replay/replay.ts";
import { type Command, UsageError } from "./command.ts";

/** `escriba operator replay`: why did it do that, and would this version do it again? */
export const operatorReplay: Command = {
  usage: "FILE [--json]",
  details: `FILE holds the operator's log (kubectl logs), or what its /decisions answers, a line each; - reads standard
input. Each decision in it is decided again from what was seen then, and a line says whether the same came out. What
did not is shown by its path, with what was logged and what comes out now. --json prints an object a line instead.

Exit code: 0 all the same, 1 something is different, 2 nothing to replay or a line that cannot be read.`,
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { json: { type: "boolean", default: false } },
    });
    const [file, ...more] = positionals;
    if (!file || more.length > 0) throw new UsageError("one FILE is wanted");
    const counts = { same: 0, different: 0, unreadable: 0 };
    for await (const result of replay(await lines(file))) {
      counts[result.outcome] += 1;
      console.log(values.json ? JSON.stringify(result) : text(result));
    }
    const all = counts.same + counts.different + counts.unreadable;
    if (all === 0) console.error(`escriba operator replay: ${file} holds no decisions`);
    else if (!values.json)
      console.log(
        `${all} decisions: ${counts.same} same, ${counts.different} different, ${counts.unreadable} unreadable`,
      );
    return all === 0 || counts.unreadable > 0 ? 2 : counts.different > 0 ? 1 : 0;
  },
};

async function lines(file: string): Promise<AsyncIterable<string>> {
  if (file === "-") return createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${file} cannot be read: ${error.code === "ENOENT" ? "no such file" : error.message}`);
  });
  return handle.readLines();
}

function text(result: Replayed): string {
  if (result.outcome === "unreadable") return `line ${result.line}: unreadable\n${indented(result.message)}`;
  const head = `line ${result.line}: ${result.pool} ${result.at} ${result.outcome}`;
  return [head, ...result.differences.map(differenceText)].join("\n");
}

function differenceText({ path, before, after }: Difference): string {
  return `  ${path}: logged ${shown(before)}, now ${shown(after)}`;
}

const shown = (value: unknown) => (value === undefined ? "nothing" : JSON.stringify(value));
const indented = (message: string) => message.replaceAll(/^/gm, "  ");
