import type { ExecutionContext } from "ava";
import { readConfig, type Settings } from "../../inference/config.ts";
import { type Inference, startInference } from "../../inference/server.ts";
import { createLog } from "../../process/log.ts";

export interface TestServer extends Inference {
  settings: Settings;
  post(path: string, body: unknown, init?: RequestInit): Promise<Response>;
  chat(body: object, init?: RequestInit): Promise<ChatAnswer>;
  embed(body: object): Promise<EmbeddingsAnswer>;
  /** A metric's value by its name and labels as /metrics prints them, without the process's own label. */
  metric(name: string, labels?: Record<string, string>): Promise<number>;
}

export interface ChatAnswer {
  id: string;
  object: string;
  model: string;
  choices: { index: number; message: { role: string; content: string }; finish_reason: string }[];
  usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
}

export interface EmbeddingsAnswer {
  object: string;
  data: { object: string; index: number; embedding: number[] | string }[];
  usage: { prompt_tokens: number; total_tokens: number };
}

/** The server with its real models, in this process, on a port of its own. */
export async function startServer(env: Record<string, string> = {}): Promise<TestServer> {
  const settings = readConfig({
    ESCRIBA_INFERENCE_PORT: "0",
    ESCRIBA_LOG_LEVEL: "silent",
    ESCRIBA_MODELS_DIR: process.env.ESCRIBA_MODELS_DIR ?? "",
    XDG_CACHE_HOME: process.env.XDG_CACHE_HOME ?? "",
    ESCRIBA_GRACE_SECONDS: "20",
    ...env,
  });
  const running = await startInference(settings, { log: createLog("test", settings.ESCRIBA_LOG_LEVEL) });
  await running.fetched;
  const post = (path: string, body: unknown, init: RequestInit = {}) =>
    fetch(`${running.url}${path}`, {
      method: "POST",
      body: typeof body === "string" ? body : JSON.stringify(body),
      ...init,
    });
  const expectOk = async (response: Response) => {
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${response.status}: ${text}`);
    return JSON.parse(text);
  };
  return {
    ...running,
    settings,
    post,
    chat: async (body, init) =>
      expectOk(await post("/v1/chat/completions", { model: "smollm2-135m-instruct", ...body }, init)),
    embed: async (body) => expectOk(await post("/v1/embeddings", { model: "all-minilm-l6-v2", ...body })),
    async metric(name, labels = {}) {
      const text = await (await fetch(`${running.url}/metrics`)).text();
      for (const line of text.split("\n")) {
        const match = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line);
        if (match?.[1] !== name) continue;
        const found = Object.fromEntries(
          [...(match[2] ?? "").matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]),
        );
        if (Object.entries(labels).every(([key, value]) => found[key] === value)) return Number(match[3]);
      }
      return 0;
    },
  };
}

/** Starts one for a file's tests and ends it after them. */
export function serverForFile(
  test: { before(run: () => Promise<void>): void; after: { always(run: () => Promise<void>): void } },
  env: Record<string, string> = {},
): () => TestServer {
  let server: TestServer | undefined;
  test.before(async () => {
    server = await startServer(env);
  });
  test.after.always(async () => {
    await server?.close();
  });
  return () => server as TestServer;
}

/** The data of a stream of server-sent events, `[DONE]` included. */
export async function events(response: Response): Promise<string[]> {
  const text = await response.text();
  return text
    .split("\n\n")
    .filter(Boolean)
    .map((event) => event.replace(/^data: /, ""));
}

/** The error of a response, after a look at its status. */
export async function errorOf(
  t: ExecutionContext,
  response: Response,
  status: number,
): Promise<{ message: string; type: string; param: string | null; code: string | null }> {
  const body = await response.json();
  t.is(response.status, status, JSON.stringify(body));
  return (body as { error: never }).error;
}

/** Looks again until it holds. What does not hold after a minute never will. */
export async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  const giveUp = performance.now() + 60_000;
  while (!(await holds())) {
    if (performance.now() > giveUp) throw new Error("it does not become so");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
