import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@temporalio/client";
import { percentile } from "./load.ts";

export interface StartTimes {
  ours: { p50: number; p99: number };
  empty: { p50: number; p99: number };
  ratioP99: number;
}

/**
 * Milliseconds from the moment a request is accepted to the start of the workflow's first activity, by Temporal's own
 * record of it. Ours is accepted when its row is dated, before the commit and the 202; the empty workflow when its start
 * is asked for. In turns, one at a time.
 */
export async function compareStarts(
  client: Client,
  api: { url: string; key: string },
  count: number,
): Promise<StartTimes> {
  const ours: number[] = [];
  const empty: number[] = [];
  for (let turn = -WARM_UP; turn < count; turn++) {
    const transcript = await startTranscript(client, api);
    const nothing = await startEmpty(client, turn);
    if (turn < 0) continue;
    ours.push(transcript);
    empty.push(nothing);
  }
  const both = (values: number[]) => ({ p50: percentile(values, 0.5), p99: percentile(values, 0.99) });
  return { ours: both(ours), empty: both(empty), ratioP99: percentile(ours, 0.99) / percentile(empty, 0.99) };
}

const WARM_UP = 10;

async function startTranscript(client: Client, { url, key }: { url: string; key: string }): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const created = await fetch(`${url}/v1/transcripts`, {
    method: "POST",
    headers,
    body: JSON.stringify({ audio_url: "https://audio.example/call.wav" }),
  });
  const { id, estimated_completion } = (await created.json()) as { id: string; estimated_completion: string };
  if (created.status !== 202) throw new Error(`POST /v1/transcripts answered ${created.status}`);
  const started = await firstActivity(client, id);
  const deleted = await fetch(`${url}/v1/transcripts/${id}`, { method: "DELETE", headers });
  await deleted.body?.cancel();
  // Always six minutes after the row's date.
  return started - (Date.parse(estimated_completion) - 360_000);
}

async function startEmpty(client: Client, turn: number): Promise<number> {
  const accepted = Date.now();
  const workflowId = `bench-empty-${process.pid}-${turn}`;
  await client.workflow.start("empty", { workflowId, taskQueue: "bench-empty" });
  return (await firstActivity(client, workflowId)) - accepted;
}

/** Epoch milliseconds at which the first activity of a workflow was started. */
async function firstActivity(client: Client, workflowId: string): Promise<number> {
  for (let tries = 0; tries < 400; tries++) {
    await sleep(25);
    const history = await client.workflow
      .getHandle(workflowId)
      .fetchHistory()
      .catch(() => undefined);
    const event = history?.events?.find(({ activityTaskStartedEventAttributes: started }) => started);
    if (event?.eventTime) return Number(event.eventTime.seconds) * 1_000 + (event.eventTime.nanos ?? 0) / 1e6;
  }
  throw new Error(`workflow ${workflowId} started no activity within 10 s`);
}
