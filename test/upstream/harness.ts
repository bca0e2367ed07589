import { createLog } from "../../process/log.ts";
import { Registry } from "../../process/metrics.ts";
import type { ChatStream } from "../../upstream/chat-stream.ts";
import type { ChatChunk } from "../../upstream/chunk.ts";
import { type ChatRequest, createUpstreams, type UpstreamClient } from "../../upstream/clients.ts";
import type { Upstream } from "../../upstream/settings.ts";
import type { Timing } from "../../upstream/timing.ts";
import { type Double, startDouble } from "./double.ts";
import { HandClock } from "./hand-clock.ts";

const MODEL = "service-llm-1-small";

export interface UpstreamHarness {
  double: Double;
  clock: HandClock;
  client: UpstreamClient;
  /** What random answers; 0.5 unless a test changes it. */
  random: { value: number };
  chat(options?: { signal?: AbortSignal; request?: Partial<ChatRequest> }): Promise<ChatStream>;
  /** A metric's value by its labels, 0 when it is not there. */
  metric(name: string, labels?: Record<string, string>): Promise<number>;
  stop(): Promise<void>;
}

/** One client over a double, under a clock that a test turns. */
export async function startUpstream(
  settings: Partial<Upstream> = {},
  timing: Partial<Timing> = {},
): Promise<UpstreamHarness> {
  const double = await startDouble();
  const clock = new HandClock();
  const registry = new Registry();
  const random = { value: 0.5 };
  const clients = createUpstreams(
    { [MODEL]: { url: double.url, model: "theirs", ...settings } },
    { log: createLog("upstream", "silent"), registry, clock, random: () => random.value, timing },
  );
  const client = clients.of(MODEL);
  if (!client) throw new Error("no client");
  return {
    ...{ double, clock, client, random },
    chat: ({ signal = new AbortController().signal, request } = {}) =>
      client.chat({ ...REQUEST, ...request }, { signal }),
    async metric(name, labels = {}) {
      const metric = (await registry.getMetricsAsJSON()).find((one) => one.name === name);
      const fits = ({ labels: own }: { labels: object }) =>
        Object.entries(labels).every(([label, value]) => (own as Record<string, unknown>)[label] === value);
      return metric?.values.find(fits)?.value ?? 0;
    },
    async stop() {
      await clients.close();
      await double.stop();
    },
  };
}

const REQUEST: ChatRequest = {
  messages: [{ role: "user", content: "Hola" }],
  maxTokens: 100,
  reasoningEffort: "none",
  json: false,
};

export async function all(stream: ChatStream): Promise<ChatChunk[]> {
  const chunks: ChatChunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

export const textOf = (chunks: readonly ChatChunk[]) => chunks.map(({ content }) => content).join("");
