import { setTimeout as sleep } from "node:timers/promises";
import type * as z from "zod";
import type { chatCompletionChunk } from "../../api/schemas/chat.ts";
import type { ApiParts } from "../../api/services.ts";
import type { Upstream } from "../../upstream/settings.ts";
import { type Double, startDouble } from "../upstream/double.ts";
import { type Harness, startHarness, type Tenant } from "./harness.ts";

export const SMALL = "service-llm-1-small";
export const LARGE = "service-llm-1-large";

export interface ChatHarness extends Harness {
  double: Double;
}

/** The API over a double of the server that answers for both models. */
export async function startChatHarness(
  upstream: Partial<Upstream> = {},
  parts: Pick<ApiParts, "upstream"> = {},
  env: Record<string, string> = {},
): Promise<ChatHarness> {
  const double = await startDouble();
  const settings = { url: double.url, model: "theirs", api_key: "upstream-secret", ...upstream };
  const upstreams = JSON.stringify({ [SMALL]: settings, [LARGE]: settings });
  const harness = await startHarness({ ESCRIBA_UPSTREAMS: upstreams, ...env }, parts);
  return {
    ...harness,
    double,
    async stop() {
      await harness.stop();
      await double.stop();
    },
  };
}

export const hello = (more: object = {}) => ({
  ...{ model: SMALL, messages: [{ role: "user", content: "Hola" }] },
  ...more,
});

export const post = (tenant: Tenant, json: object, headers: Record<string, string> = {}) =>
  tenant.call("POST", "/v1/chat/completions", { json, headers });

export interface OpenStream {
  response: Response;
  /** Events as they come, `[DONE]` as that text. */
  events: AsyncGenerator<string, void, undefined>;
  /** Closes the connection. */
  cut(): void;
}

export async function openStream(api: string, tenant: Tenant, json: object): Promise<OpenStream> {
  const cut = new AbortController();
  const response = await fetch(`${api}/v1/chat/completions`, {
    method: "POST",
    headers: { Authorization: `Bearer ${tenant.key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ ...json, stream: true }),
    signal: cut.signal,
  });
  return { response, events: eventsOf(response), cut: () => cut.abort() };
}

async function* eventsOf(response: Response): AsyncGenerator<string, void, undefined> {
  let text = "";
  for await (const part of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    text += part;
    const events = text.split("\n\n");
    text = events.pop() ?? "";
    for (const event of events) yield event.replace(/^data: /, "");
  }
  if (text !== "") throw new Error(`a stream that ends inside an event: ${text}`);
}

export type Chunk = z.output<typeof chatCompletionChunk>;

/** A whole stream: its chunks, and whether `[DONE]` ended it. */
export async function readStream(stream: OpenStream): Promise<{ chunks: Chunk[]; done: boolean; text: string }> {
  const events: string[] = [];
  for await (const event of stream.events) events.push(event);
  const done = events.at(-1) === "[DONE]";
  const chunks = (done ? events.slice(0, -1) : events).map((event) => JSON.parse(event) as Chunk);
  return { chunks, done, text: chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("") };
}

export interface Bill {
  status: string;
  prompt: number | null;
  completion: number | null;
  estimated: boolean | null;
  /** Nine places, from the ledger's entries. */
  revenue: string;
  held: string;
  /** Balance and held. */
  worth: string;
}

export const UNBILLED = {
  ...{ status: "released", prompt: null, completion: null },
  ...{ revenue: "0.000000000", held: "0.000000000", worth: "100.000000000" },
};

/** What the only call of an organization came to, from its row and from the ledger, which has to agree. */
export async function billOf({ postgres }: Harness, { organizationId }: Tenant): Promise<Bill> {
  const calls = await postgres.db.$queryRaw<(Bill & { charges: number })[]>`
    SELECT c.status, c.prompt_tokens::integer AS prompt, c.completion_tokens::integer AS completion, c.estimated, l.*
    FROM usage_calls c CROSS JOIN (
      SELECT coalesce(sum(amount) FILTER (WHERE account = 'revenue'), 0)::numeric(20, 9)::text AS revenue,
        coalesce(sum(amount) FILTER (WHERE account = 'held'), 0)::numeric(20, 9)::text AS held,
        coalesce(sum(amount) FILTER (WHERE account IN ('held', 'balance')), 0)::numeric(20, 9)::text AS worth,
        count(DISTINCT transaction_id) FILTER (WHERE account = 'revenue')::integer AS charges
      FROM ledger_entries WHERE organization_id = ${organizationId}::uuid) l
    WHERE c.organization_id = ${organizationId}::uuid`;
  const [call, more] = calls;
  if (!call || more) throw new Error(`${calls.length} calls`);
  const { charges, ...bill } = call;
  if (charges !== (bill.status === "charged" ? 1 : 0)) throw new Error("charges and call differ");
  return bill;
}

/** The bill of a call whose client does not wait for it. */
export async function endedBill(harness: Harness, tenant: Tenant): Promise<Bill> {
  for (;;) {
    const bill = await billOf(harness, tenant);
    if (bill.status !== "running") return bill;
    await sleep(10);
  }
}
