import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { failTranscript } from "../../billing/fail-transcript.ts";
import { settleTranscript } from "../../billing/settle-transcript.ts";
import { pythonPrograms } from "../../eval/python-programs.ts";
import type { Database } from "../../storage/database.ts";
import { settlement } from "../support/organization.ts";
import { type Double, says, startDouble } from "../upstream/double.ts";
import { embeds } from "../upstream/embeds.ts";
import { type Harness, startHarness } from "./harness.ts";

const REQUIREMENTS = new URL("python/schemathesis.txt", import.meta.url);
const CONFIGURATION = fileURLToPath(new URL("python/schemathesis.toml", import.meta.url));
const PHASES = "examples,coverage,fuzzing,stateful";

export interface FuzzResult {
  /** 0: every answer was one that the document announces, with every check schemathesis has. */
  code: number | null;
  /** What it printed, failures with the command that shows each. */
  output: string;
  /** Operations that got at least one request, by operationId as the API's log names their route. */
  routes: Set<string>;
  /** Status codes that were answered. */
  statuses: Set<number>;
}

/**
 * Runs every phase of schemathesis over `/openapi.json` of a live API: a real PostgreSQL, a real object store, a double
 * behind chat and embeddings, and a stand-in for the workers that finishes transcripts. `examples` bounds the requests of
 * each operation and phase.
 */
export async function runSchemathesis({ examples, seed }: { examples: number; seed: number }): Promise<FuzzResult> {
  const st = join(await pythonPrograms(REQUIREMENTS), "st");
  const directory = await mkdtemp(join(tmpdir(), "escriba-schemathesis-"));
  const upstream = await startModels();
  const servers = Object.fromEntries(
    ["service-embed-1", "service-llm-1-small", "service-llm-1-large"].map((id) => [
      id,
      { url: upstream.url, model: "theirs" },
    ]),
  );
  const harness = await startHarness({ ESCRIBA_UPSTREAMS: JSON.stringify(servers) });
  const done = new AbortController();
  const workers = finishTranscripts(harness.postgres.db, done.signal);
  try {
    const child = spawn(
      st,
      [
        ...["--config-file", CONFIGURATION, "run", `${harness.api.url}/openapi.json`, "--no-color"],
        ...["--header", `Authorization: Bearer ${await keyWithoutLimits(harness)}`, "--phases", PHASES],
        ...["--max-examples", String(examples), "--seed", String(seed), "--generation-database", "none"],
        // A machine that is busy is no fault of the API.
        ...["--request-timeout", "60", "--suppress-health-check", "all"],
        "--continue-on-failure",
      ],
      { cwd: directory, stdio: ["ignore", "pipe", "pipe"] },
    );
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    const [code] = (await once(child, "close")) as [number | null];
    return { code, output, ...answered(harness.log.text) };
  } finally {
    done.abort();
    await workers;
    await harness.stop();
    await upstream.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

async function startModels(): Promise<Double> {
  const upstream = await startDouble();
  const [chat, vectors] = [says("Hola a todos"), embeds()];
  upstream.answer((seen) => (seen.path.endsWith("/embeddings") ? vectors(seen) : chat(seen)));
  return upstream;
}

async function keyWithoutLimits({ tenant, postgres }: Harness): Promise<string> {
  const { key, organizationId } = await tenant({ credit: "1000000" });
  await postgres.db.organization.update({
    where: { id: organizationId },
    data: { requestsPerMinute: 1_000_000, inFlightLimit: 1_000_000 },
  });
  return key;
}

/** What workers would do: most transcripts are completed soon, some fail. */
async function finishTranscripts(db: Database, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const waiting = await db.transcript.findMany({ where: { status: "queued" }, select: { id: true }, take: 20 });
    for (const [index, { id }] of waiting.entries()) {
      if (index % 4 === 3) await failTranscript(db, id, "El audio está dañado.");
      else await settleTranscript(db, settlement(id, 61_000));
    }
    await sleep(200, undefined, { signal }).catch(() => undefined);
  }
}

function answered(log: string): Pick<FuzzResult, "routes" | "statuses"> {
  const routes = new Set<string>();
  const statuses = new Set<number>();
  for (const line of log.split("\n")) {
    if (!line.includes('"msg":"request"')) continue;
    const { method, route, status } = JSON.parse(line) as { method: string; route: string; status: number };
    routes.add(`${method} ${route}`);
    statuses.add(status);
  }
  return { routes, statuses };
}
