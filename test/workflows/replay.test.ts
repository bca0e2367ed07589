import { readdir, readFile } from "node:fs/promises";
import { historyFromJSON } from "@temporalio/common/lib/proto-utils.js";
import { Worker } from "@temporalio/worker";
import test from "ava";
import { createLog } from "../../process/log.ts";
import { workflowBundle } from "../../workflows/bundle.ts";
import { DELIVER, MAIL, TRANSCRIBE } from "../../workflows/names.ts";
import { installRuntime } from "../../workflows/runtime.ts";
import { SPOKEN } from "./doubles.ts";
import { HISTORIES } from "./histories.ts";

const log = createLog("replay", "silent");
const names = (await readdir(HISTORIES)).filter((name) => name.endsWith(".json"));
const read = async (name: string) => JSON.parse(await readFile(new URL(name, HISTORIES), "utf8"));

test.before(() => installRuntime(log));

test("every way a transcript, a delivery and a mail can end is recorded", (t) => {
  for (const way of [
    ...["completed", "language-given", "silent", "not-audio", "crashed", "deleted"],
    ...["deliver-delivered", "deliver-retried", "deliver-disabled", "mail-sent"],
  ]) {
    t.true(
      names.some((name) => name.endsWith(`-${way}.json`)),
      way,
    );
  }
});

test("today's workflow repeats what recorded ones did, command for command", async (t) => {
  const bundle = await workflowBundle(null, log);
  const histories = await Promise.all(
    names.map(async (name) => ({ workflowId: name, history: historyFromJSON(await read(name)) })),
  );
  const results = Worker.runReplayHistories({ workflowBundle: bundle }, histories);
  for await (const { workflowId, error } of results) t.is(error, undefined, workflowId);
});

test("a history that does not belong to the workflow is noticed", async (t) => {
  const bundle = await workflowBundle(null, log);
  const history = await read(names.find((name) => name.includes("-completed")) as string);
  const scheduled = history.events.find((event: Event) => event.activityTaskScheduledEventAttributes);
  scheduled.activityTaskScheduledEventAttributes.activityType.name = "settle";
  await t.throwsAsync(Worker.runReplayHistory({ workflowBundle: bundle }, historyFromJSON(history)));
});

test("recorded histories hold references and counts: no text, no URL, nothing that a client sent", async (t) => {
  for (const name of names) {
    const history = await read(name);
    const type = [DELIVER, MAIL].find((workflow) => name.includes(`-${workflow}-`)) ?? TRANSCRIBE;
    t.is(history.events[0].workflowExecutionStartedEventAttributes.workflowType.name, type);
    const said = payloads(history);
    for (const value of said) {
      t.false(value.includes(SPOKEN) || /https?:|whsec_|@|receiver/.test(value), `${name}: ${value}`);
      t.true(value.length < 1_000, `${name}: ${value}`);
    }
  }
});

interface Event {
  activityTaskScheduledEventAttributes?: { activityType: { name: string } };
}

/** Payloads are base64 in a history's JSON; this is what they say. */
function payloads(value: unknown): string[] {
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === "data" && typeof inner === "string" ? [Buffer.from(inner, "base64").toString()] : payloads(inner),
  );
}
