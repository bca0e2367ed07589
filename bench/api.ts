import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { compareChat } from "./api/chat.ts";
import { startEscriba } from "./api/escriba.ts";
import { type Route, startLiteLlm, startPortkey } from "./api/gateways.ts";
import { compareIdentity } from "./api/identity.ts";
import { forkServer, type Server } from "./api/server.ts";
import { compareStarts } from "./api/start.ts";
import { type Benchmark, cacheDirectory, round, table, wholeNumber } from "./benchmark.ts";

/** What the project promises. */
const TARGETS = { me_ratio: 0.6, of_portkey_p50: 0.75, of_portkey_p99: 1, chunk_added_ms: 0.2, start_ratio_p99: 1.5 };

export const api: Benchmark = {
  summary: "requests a second, time added to chat beside Portkey and LiteLLM, time to a transcript's first step",
  help: `  --rounds N     turns that the contenders take (5)
  --starts N     transcripts and empty workflows started (200)`,
  options: { rounds: { type: "string" }, starts: { type: "string" } },
  run: async (options, say) => {
    const rounds = wholeNumber(options, "rounds", 5);
    const starts = wholeNumber(options, "starts", 200);
    const directory = await mkdtemp(join(tmpdir(), "escriba-bench-api-"));
    const servers: Server[] = [];
    const started = <S extends Server>(server: S): S => {
      servers.unshift(server);
      return server;
    };
    try {
      const script = (name: string) => new URL(`api/${name}`, import.meta.url);
      const bare = started(await forkServer<{ url: string }>("bare-koa", script("bare-koa.ts"), { directory }));
      const upstream = started(await forkServer<{ url: string }>("upstream", script("upstream.ts"), { directory }));
      say("starting Escriba");
      const ours = started(await startEscriba(upstream.ready.url, directory));

      say("/v1/me beside a bare Koa route");
      const me = await compareIdentity(bare.ready.url, ours, rounds);

      say("starts of transcripts beside an empty workflow's");
      const worker = { args: [ours.temporal.address], directory };
      const empty = started(await forkServer("empty-worker", script("empty-worker.ts"), worker));
      const start = await compareStarts(ours.temporal.client, ours, starts);
      await empty.stop();
      await ours.endTranscripts();

      const portkey = started(await startPortkey(upstream.ready.url, { cache: cacheDirectory(), directory, say }));
      const litellm = started(await startLiteLlm(upstream.ready.url, { directory, say }));
      const direct: Route = {
        name: "direct",
        url: `${upstream.ready.url}/chat/completions`,
        headers: {},
        models: { steady: "steady", burst: "burst" },
      };
      const added = await compareChat(direct, [ours.chat, portkey, litellm], rounds, say);
      return report({ me, start, added }, { rounds, starts });
    } finally {
      for (const server of servers) await server.stop();
      await rm(directory, { recursive: true, force: true });
    }
  },
};

function report(
  {
    me,
    start,
    added,
  }: {
    me: Awaited<ReturnType<typeof compareIdentity>>;
    start: Awaited<ReturnType<typeof compareStarts>>;
    added: Awaited<ReturnType<typeof compareChat>>;
  },
  runs: { rounds: number; starts: number },
) {
  const of = (name: string) => added.get(name) ?? { p50: Number.NaN, p99: Number.NaN, chunk: null };
  const [ours, portkey, litellm] = [of("Escriba"), of("Portkey"), of("LiteLLM")];
  const figures = {
    benchmark: "api",
    me_ratio: round(me.ratio, 3),
    chat_added_p50_ms: round(ours.p50, 2),
    chat_added_p99_ms: round(ours.p99, 2),
    portkey_added_p50_ms: round(portkey.p50, 2),
    portkey_added_p99_ms: round(portkey.p99, 2),
    litellm_added_p50_ms: round(litellm.p50, 2),
    litellm_added_p99_ms: round(litellm.p99, 2),
    chunk_added_ms: round(ours.chunk ?? Number.NaN, 4),
    accept_to_start_ratio_p99: round(start.ratioP99, 3),
    me_requests_per_second: Math.round(me.ourRps),
    bare_koa_requests_per_second: Math.round(me.bareRps),
    accept_to_start_ms: { p50: round(start.ours.p50, 1), p99: round(start.ours.p99, 1) },
    empty_workflow_start_ms: { p50: round(start.empty.p50, 1), p99: round(start.empty.p99, 1) },
    ...runs,
    cpu: cpus()[0]?.model ?? "unknown",
    cores: cpus().length,
  };
  const row = (name: string, { p50, p99, chunk }: typeof ours) => [
    name,
    `${p50.toFixed(2)} ms`,
    `${p99.toFixed(2)} ms`,
    chunk === null ? "—" : `${chunk.toFixed(4)} ms`,
  ];
  const { ours: starting, empty } = start;
  return {
    figures,
    table: [
      table([
        ["Added to chat", "p50", "p99", "a chunk"],
        row("Escriba", ours),
        row("Portkey", portkey),
        row("LiteLLM", litellm),
      ]),
      "",
      `/v1/me: ${Math.round(me.ourRps)} requests a second, ${me.ratio.toFixed(2)} x a bare Koa route's ${Math.round(me.bareRps)}`,
      `accepted to first step: p50 ${starting.p50.toFixed(1)} ms, p99 ${starting.p99.toFixed(1)} ms; an empty workflow: ${empty.p50.toFixed(1)} and ${empty.p99.toFixed(1)} ms`,
    ].join("\n"),
    passed:
      me.ratio >= TARGETS.me_ratio &&
      ours.p50 <= TARGETS.of_portkey_p50 * portkey.p50 &&
      ours.p99 <= TARGETS.of_portkey_p99 * portkey.p99 &&
      (ours.chunk ?? Number.NaN) <= TARGETS.chunk_added_ms &&
      start.ratioP99 <= TARGETS.start_ratio_p99,
  };
}
