import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const root = join(import.meta.dirname, "../..");
const START_MS = 180_000;

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A script of embedded/ as a user's npm runs it, on free ports. */
export class Script {
  readonly process: ChildProcess;
  stdout = "";
  stderr = "";
  readonly finished: Promise<Finished>;

  constructor(name: "start" | "demo", stateDir: string, args: string[] = [], env: Record<string, string> = {}) {
    this.process = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", `embedded/${name}.ts`, ...args], {
      cwd: root,
      env: { ...process.env, ESCRIBA_API_PORT: "0", ...env, ESCRIBA_STATE_DIR: stateDir },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.process.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.stdout += text;
    });
    this.process.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
    this.finished = once(this.process, "close").then(([code]) => ({
      code: code as number | null,
      stdout: this.stdout,
      stderr: this.stderr,
    }));
  }
}

export const run = (name: "start" | "demo", stateDir: string, args: string[] = [], env: Record<string, string> = {}) =>
  new Script(name, stateDir, args, env).finished;

/** A directory that the user postgres may enter, as a user's own would be. */
export function makeStateDir(): Promise<string> {
  return mkdtemp(join(tmpdir(), "escriba-state-"));
}

export interface Service {
  script: Script;
  stateDir: string;
  baseUrl: string;
  key: string;
  metricsUrl: string;
  call(method: string, path: string, body?: FormData | object): Promise<{ status: number; body: never }>;
  /** Ctrl-C, and the wait for the end. */
  stop(): Promise<Finished>;
}

/** `npm start` until dev.json is there. */
export async function startService(stateDir: string, env: Record<string, string> = {}): Promise<Service> {
  const script = new Script("start", stateDir, [], env);
  const devFile = await Promise.race([
    script.finished.then(({ code, stderr }) => {
      throw new Error(`npm start ended with code ${code}:\n${stderr}`);
    }),
    waitForFile(join(stateDir, "dev.json"), script),
  ]);
  const { base_url, api_key, metrics_url } = JSON.parse(devFile) as Record<string, string>;
  return {
    script,
    stateDir,
    baseUrl: base_url ?? "",
    key: api_key ?? "",
    metricsUrl: metrics_url ?? "",
    async call(method, path, body) {
      const form = body instanceof FormData;
      const response = await fetch(`${base_url}${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${api_key}`,
          ...(body && !form ? { "Content-Type": "application/json" } : {}),
        },
        ...(body ? { body: form ? body : JSON.stringify(body) } : {}),
      });
      const text = await response.text();
      return { status: response.status, body: (text.startsWith("{") ? JSON.parse(text) : text) as never };
    },
    async stop() {
      script.process.kill("SIGINT");
      return script.finished;
    },
  };
}

/** Only a file that this start wrote counts: the stack removes an old one before anything else. */
async function waitForFile(path: string, script: Script): Promise<string> {
  const giveUp = performance.now() + START_MS;
  for (;;) {
    if (script.stdout.includes("Escriba is running")) return readFile(path, "utf8");
    if (script.process.exitCode !== null) return "{}";
    if (performance.now() > giveUp) {
      script.process.kill("SIGKILL");
      throw new Error(`npm start was not ready:\n${script.stderr}`);
    }
    await sleep(100);
  }
}

/** The process ids that the running stack wrote into its lock. */
export async function childrenOf(stateDir: string): Promise<Record<string, number>> {
  const { children } = JSON.parse(await readFile(join(stateDir, "stack.lock"), "utf8")) as {
    children: { name: string; pid: number }[];
  };
  return Object.fromEntries(children.map(({ name, pid }) => [name, pid]));
}

export async function finalTranscript(service: Service, id: string): Promise<Record<string, unknown>> {
  for (;;) {
    const { body } = await service
      .call("GET", `/v1/transcripts/${id}`)
      .catch(() => ({ body: { status: "" } as never }));
    const transcript = body as Record<string, unknown>;
    if (transcript.status === "completed" || transcript.status === "failed") return transcript;
    await sleep(250);
  }
}
