import autocannon from "autocannon";
import { median } from "../benchmark.ts";

const CONNECTIONS = 64;
const SECONDS = 4;

/**
 * Requests a second of `/v1/me`, authenticated and limited, over those of a route of Koa's router that does nothing; medians of `rounds` taken
 * in turns, each server in a process of its own. Throws when a request fails.
 */
export async function compareIdentity(
  bare: string,
  ours: { url: string; key: string },
  rounds: number,
): Promise<{ bareRps: number; ourRps: number; ratio: number }> {
  const rates: { bare: number[]; ours: number[] } = { bare: [], ours: [] };
  const headers = { authorization: `Bearer ${ours.key}` };
  await measure(`${ours.url}/v1/me`, headers, 2);
  await measure(`${bare}/v1/me`, {}, 2);
  for (let round = 0; round < rounds; round++) {
    rates.bare.push(await measure(`${bare}/v1/me`, {}, SECONDS));
    rates.ours.push(await measure(`${ours.url}/v1/me`, headers, SECONDS));
  }
  const [bareRps, ourRps] = [median(rates.bare), median(rates.ours)];
  return { bareRps, ourRps, ratio: ourRps / bareRps };
}

async function measure(url: string, headers: Record<string, string>, duration: number): Promise<number> {
  const result = await autocannon({ url, headers, duration, connections: CONNECTIONS });
  if (duration === SECONDS && (result.non2xx > 0 || result.errors > 0)) {
    throw new Error(`${url}: ${result.non2xx} answers were not 2xx, ${result.errors} failed`);
  }
  return result.requests.total / result.duration;
}
