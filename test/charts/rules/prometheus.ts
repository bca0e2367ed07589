import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../../embedded/ports.ts";
import { endProcess } from "../../../embedded/watched-process.ts";
import type { PrometheusPrograms } from "./promtool.ts";

const GRACE_MS = 5_000;

export interface RunningPrometheus {
  /** Result of an instant query. Rejects with what Prometheus says when it cannot be answered. */
  query(expression: string): Promise<unknown[]>;
  /** Each rule, whether its last evaluation went well, and whether it fires. */
  rules(): Promise<{ name: string; health: string; lastError?: string; state: string }[]>;
  stop(): Promise<void>;
}

/** A real Prometheus that scrapes these processes every second, as one namespace, and evaluates these rules. */
export async function startPrometheus(
  { prometheus }: PrometheusPrograms,
  targets: Record<string, string>,
  ruleFiles: readonly string[],
): Promise<RunningPrometheus> {
  const directory = await mkdtemp(join(tmpdir(), "escriba-prometheus-"));
  const url = `http://127.0.0.1:${await freePort()}`;
  const jobs = Object.entries(targets).map(([pod, metricsUrl]) => ({
    job_name: pod,
    metrics_path: new URL(metricsUrl).pathname,
    static_configs: [{ targets: [new URL(metricsUrl).host], labels: { namespace: "voice", pod } }],
  }));
  const config = {
    global: { scrape_interval: "1s", scrape_timeout: "1s", evaluation_interval: "1s" },
    rule_files: ruleFiles,
    scrape_configs: jobs,
  };
  await writeFile(join(directory, "prometheus.yml"), JSON.stringify(config)); // JSON is YAML
  const child = spawn(
    prometheus,
    [
      `--config.file=${join(directory, "prometheus.yml")}`,
      `--storage.tsdb.path=${join(directory, "data")}`,
      `--web.listen-address=${new URL(url).host}`,
    ],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-4_000);
  });
  const ask = async (path: string) => {
    const body = (await (await fetch(url + path)).json()) as { status: string; error?: string; data: never };
    if (body.status !== "success") throw new Error(body.error);
    return body.data;
  };
  const stop = async () => {
    await endProcess(child, GRACE_MS);
    await rm(directory, { recursive: true, force: true });
  };
  for (;;) {
    if (child.exitCode !== null) {
      await stop();
      throw new Error(`Prometheus ended: ${said}`);
    }
    const ready = await fetch(`${url}/-/ready`).catch(() => null);
    if (ready?.ok) break;
    await sleep(100);
  }
  return {
    query: async (expression) => {
      const { result } = (await ask(`/api/v1/query?query=${encodeURIComponent(expression)}`)) as { result: unknown[] };
      return result;
    },
    rules: async () => {
      const { groups } = (await ask("/api/v1/rules")) as { groups: { rules: never[] }[] };
      return groups.flatMap(({ rules }) => rules);
    },
    stop,
  };
}
