import { isModel, modelIds } from "../../api/routes/model/catalogue.ts";
import { DEFAULT_DIMENSIONS } from "../../api/schemas/embeddings.ts";
import type { Logger } from "../../process/log.ts";
import { Registry } from "../../process/metrics.ts";
import { createUpstreams, type UpstreamClient } from "../../upstream/clients.ts";
import { UpstreamUnavailable } from "../../upstream/errors.ts";
import type { Upstream } from "../../upstream/settings.ts";
import { type Examination, type Finding, failed, ok, Problem, warning } from "./check.ts";
import type { Settings } from "./config.ts";

/** A server that loads its model first needs a while. */
const ANSWER_MS = 120_000;
const LIST_MS = 15_000;

/** Each model id of ESCRIBA_UPSTREAMS: its server's list of models, and one small question of the kind it answers. */
export async function examineUpstreams(settings: Settings, examination: Examination, log: Logger): Promise<void> {
  const upstreams = settings.ESCRIBA_UPSTREAMS;
  const ids = Object.keys(upstreams);
  if (ids.length === 0) return examination.skip("ESCRIBA_UPSTREAMS names no server");
  const known = [...modelIds("llm"), ...modelIds("embedding")];
  await examination.check("configured", LIST_MS, async () => configured(ids, known));
  const clients = createUpstreams(upstreams, { log, registry: new Registry(), timing: { tries: 1 } });
  try {
    for (const [id, upstream] of Object.entries(upstreams)) {
      if (!known.includes(id)) continue;
      await examination.check(`${id} list`, LIST_MS, (signal) => list(upstream, signal));
      const client = clients.of(id);
      if (!client) continue;
      if (isModel(id, "embedding"))
        await examination.check(`${id} vector`, ANSWER_MS, (signal) => vector(client, signal));
      else await examination.check(`${id} chat`, ANSWER_MS, (signal) => chat(client, signal));
    }
  } finally {
    await clients.close();
  }
}

function configured(ids: string[], known: string[]): Finding {
  const unknown = ids.filter((id) => !known.includes(id));
  if (unknown.length > 0)
    return failed(`no model is called ${unknown.join(", ")}`, [`the models of the API are ${known.join(", ")}`]);
  const missing = known.filter((id) => !ids.includes(id));
  if (missing.length > 0)
    return warning(`${missing.join(", ")} have no server and answer 503`, ["name one in ESCRIBA_UPSTREAMS"]);
  return ok(`a server is named for ${ids.join(", ")}`);
}

/** Many servers have the list, and some do not; the question after this one is what counts. */
async function list({ url, model, api_key }: Upstream, signal: AbortSignal): Promise<Finding> {
  const headers: Record<string, string> = api_key === undefined ? {} : { authorization: `Bearer ${api_key}` };
  const response = await fetch(`${url}/models`, { headers, signal }).catch((error: unknown) => {
    throw new Problem(
      `${url} does not answer: ${causeOf(error)}`,
      "`url` is what an OpenAI client calls its base URL, mostly with /v1 at its end; the network must let the API and the workers of the queue language reach it",
    );
  });
  if (response.status === 401 || response.status === 403)
    return failed(`${url} answers ${response.status}`, ["give its `api_key`"]);
  if (!response.ok) return warning(`${url}/models answers ${response.status}`, ["no list of models to compare with"]);
  const body = (await response.json().catch(() => null)) as { data?: { id?: unknown }[] } | null;
  const names = Array.isArray(body?.data) ? body.data.map(({ id }) => String(id)) : null;
  if (!names) return warning(`${url}/models is not a list of models`, ["no list of models to compare with"]);
  if (names.includes(model)) return ok(`${url} has ${model}`);
  return warning(`${url} does not list ${model}`, [
    `it lists ${names.slice(0, 10).join(", ") || "nothing"}: is \`model\` right?`,
  ]);
}

async function chat(client: UpstreamClient, signal: AbortSignal): Promise<Finding> {
  const request = {
    messages: [{ role: "user" as const, content: "Answer with the word ready." }],
    maxTokens: 16,
    temperature: 0,
    reasoningEffort: "none" as const,
    json: false,
  };
  const started = performance.now();
  const stream = await explained(client.chat(request, { signal }));
  const first = performance.now() - started;
  let chunks = 0;
  for await (const _ of stream) chunks += 1;
  const seconds = first / 1_000;
  return ok(`answers after ${seconds.toFixed(1)} s`, { firstChunkSeconds: seconds, chunks });
}

/** A vector of as many numbers as the API asks for when a client does not say. */
async function vector(client: UpstreamClient, signal: AbortSignal): Promise<Finding> {
  const native = client.settings.native_dimensions;
  if (native !== undefined) {
    const { vectors } = await explained(client.embed({ input: ["hola"] }, { signal }));
    const made = vectors[0]?.length;
    if (made !== native)
      return failed(`vectors have ${made} numbers, \`native_dimensions\` says ${native}`, [
        `say native_dimensions: ${made}`,
      ]);
  }
  const request = { input: ["hola"], ...(native === DEFAULT_DIMENSIONS ? {} : { dimensions: DEFAULT_DIMENSIONS }) };
  const { vectors } = await explained(client.embed(request, { signal }));
  const numbers = vectors[0]?.length ?? 0;
  if (numbers === DEFAULT_DIMENSIONS) return ok(`vectors of ${numbers} numbers`, { dimensions: numbers });
  return failed(
    `asked for ${DEFAULT_DIMENSIONS} numbers, the server makes ${numbers}: the API answers 503`,
    [
      "serve a model that can be cut (matryoshka), e.g. Qwen3-Embedding-0.6B, and let the server do it (docs/upstreams.md)",
    ],
    { dimensions: numbers },
  );
}

async function explained<T>(answer: Promise<T>): Promise<T> {
  return answer.catch((error: unknown) => {
    if (!(error instanceof UpstreamUnavailable)) throw error;
    const remedy = {
      network: "the server does not answer: is it up, and does the network let this process reach it?",
      silent: "the server took the question and says nothing: look at its log and its queue",
      overloaded: "the server is overloaded: give it more replicas",
      server_error: "the server answers 5xx: look at its log",
      not_an_answer: "something else than an OpenAI-compatible server answers there",
      misconfigured: "key, path or model name are wrong",
      closed: "the server closed the connection before its answer: look at its log",
      breaker_open: "it failed before",
    }[error.reason];
    throw new Problem(
      `no answer: ${error.reason.replaceAll("_", " ")}${error.cause ? ` (${causeOf(error.cause)})` : ""}`,
      remedy,
    );
  });
}

/** fetch says "fetch failed" and keeps the reason in its cause. */
function causeOf(error: unknown): string {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const { code, message } = inner as { code?: string; message?: string };
  return code ?? message ?? String(error);
}
