import type { Pool } from "undici";
import type { Route } from "./gateways.ts";

/** Milliseconds each of `requests` calls took, with `clients` under way at any time. Rejects when one fails. */
export async function closedLoop(clients: number, requests: number, send: () => Promise<void>): Promise<number[]> {
  const times: number[] = [];
  let begun = 0;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (begun < requests) {
        begun++;
        const started = performance.now();
        await send();
        times.push(performance.now() - started);
      }
    }),
  );
  return times;
}

/** The smallest value that at least `share` of all are not above. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] as number;
}

const MESSAGES = [
  { role: "system", content: "You answer in one sentence." },
  { role: "user", content: "What did the customer ask for in this call? ".repeat(8) },
];

/** One chat completion, read to its end. Throws unless it is a 200 that holds all of the upstream's words. */
export async function complete(pool: Pool, route: Route, kind: "steady" | "burst"): Promise<void> {
  const stream = kind === "burst";
  const model = route.models[kind];
  const { statusCode, body } = await pool.request({
    method: "POST",
    path: new URL(route.url).pathname,
    headers: { "content-type": "application/json", ...route.headers },
    body: JSON.stringify({ model, messages: MESSAGES, max_tokens: 4_096, stream }),
  });
  const text = await body.text();
  const words = text.split(" word").length - 1;
  if (statusCode !== 200 || words !== WORDS[kind] || (stream && !text.endsWith("data: [DONE]\n\n"))) {
    throw new Error(`${route.name} answered ${statusCode} with ${words} words: ${text.slice(-300)}`);
  }
}

/** Tokens that bench/api/upstream.ts answers with. */
export const WORDS = { steady: 32, burst: 2_000 };
