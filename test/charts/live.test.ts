import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { readConfig } from "../../api/config.ts";
import { startApi } from "../../api/server.ts";
import { createLog } from "../../process/log.ts";
import { DoubleEngine, preparing } from "../workflows/doubles.ts";
import { eventually, startStack } from "../workflows/stack.ts";
import { startPrometheus } from "./rules/prometheus.ts";
import { prometheusPrograms } from "./rules/promtool.ts";

const chart = join(import.meta.dirname, "../../charts/escriba");
const programs = await prometheusPrograms();

/** Panels that one transcript, without a model's server and without a receiver, leaves empty. */
const EMPTY = new Set([
  ...["Calls of models a second", "First chunk of a chat", "Circuit breakers", "Retries"],
  ...["Modules", "Understanding a transcript", "Windows heard again"],
  ...["Waiting and running", "Tokens a second", "Memory of models"],
  ...["Failures a second"],
  ...["Tokens charged", "What understanding costs", "Deliveries a second", "Mail a second"],
]);

interface Panel {
  title: string;
  targets?: { expr: string }[];
}

async function panels(name: string): Promise<Panel[]> {
  const { panels: all } = JSON.parse(await readFile(join(chart, "dashboards", `${name}.json`), "utf8"));
  return (all as Panel[]).filter(({ targets }) => targets);
}

(programs ? test : test.skip)(
  "a real Prometheus answers every panel and evaluates every rule over processes that run",
  async (t) => {
    if (!programs) return;
    const stack = await startStack();
    t.teardown(() => stack.stop());
    const scratch = await mkdtemp(join(tmpdir(), "escriba-live-"));
    t.teardown(() => rm(scratch, { recursive: true, force: true }));
    const settings = readConfig({
      ...stack.environment,
      ESCRIBA_API_PORT: "0",
      ESCRIBA_SCRATCH_DIR: scratch,
      ESCRIBA_GRACE_SECONDS: "1",
    });
    const api = await startApi(settings, {
      database: stack.postgres.db,
      objects: stack.store,
      log: createLog("api", "silent"),
    });
    t.teardown(() => api.close());
    const worker = await stack.worker({ engine: new DoubleEngine(), prepareAudio: preparing(4, 2) });
    const ruleNames = await readdir(join(chart, "rules"));
    const rules = ruleNames.map((name) => join(chart, "rules", name));
    const prometheus = await startPrometheus(programs, { api: api.metricsUrl, worker: worker.metricsUrl }, rules);
    t.teardown(() => prometheus.stop());
    // A series has to be there before it rises, or Prometheus sees no increase.
    await eventually(async () => (await prometheus.query("escriba_queue_workers")).length > 0);

    // A rate wants two samples: something happens for as long as it takes until there is one.
    const filled = (expr: string) => expr.replaceAll("$__rate_interval", "1m").replaceAll(/\$(queue|pool)/g, ".*");
    const ask = (expr: string) => prometheus.query(filled(expr).replaceAll("$namespace", "voice"));
    await eventually(async () => {
      const { final } = await stack.submit(Buffer.from("a recording"), { language: "es" });
      await final();
      await fetch(`${api.url}/v1/me`, { headers: { Authorization: "Bearer nobody" } });
      await fetch(`${api.url}/livez`);
      const counted = await Promise.all(
        ["escriba_step_seconds_count", "escriba_http_errors_total", "escriba_audio_recognised_seconds_total"].map(
          (name) => ask(`rate(${name}{namespace="$namespace"}[$__rate_interval]) > 0`),
        ),
      );
      return counted.every((result) => result.length > 0);
    });
    const wrong: string[] = [];
    for (const name of ["service", "queues", "money"]) {
      for (const { title, targets = [] } of await panels(name)) {
        // Rejects for what cannot be joined, too.
        const answers = await Promise.all(targets.map(({ expr }) => ask(expr)));
        if (answers.flat().length > 0 === EMPTY.has(title)) wrong.push(`${name}: ${title}`);
      }
    }
    t.deepEqual(wrong, [], "panels that are empty and should not be, or the other way round");
    for (const { targets = [] } of await panels("operator")) for (const { expr } of targets) await ask(expr);

    const evaluated = await prometheus.rules();
    t.true(evaluated.length >= 38);
    for (const { name, health, lastError } of evaluated) t.is(health, "ok", `${name}: ${lastError}`);
    t.deepEqual(
      evaluated.filter(({ state }) => state === "firing").map(({ name }) => name),
      [],
      "nothing fires over a service that is well",
    );
    await worker.drain();
  },
);
