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
    ...["completed", "language-given", "understood", "silent", "not-audio", "crashed", "deleted"],
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

test("what the steps of every queue say is among what was looked through", async (t) => {
  const history = await read(names.findLast((name) => name.endsWith("-understood.json")) as string);
  const steps = history.events.map((event: Event) => event.activityTaskScheduledEventAttributes?.activityType.name);
  for (const step of ["begin", "prepare", "identify", "recognise", "diarise", "assemble", "settle"]) {
    t.true(steps.includes(step), step);
  }
  t.is(steps.filter((step?: string) => step === "attributeRoles").length, 1);
  t.is(steps.filter((step?: string) => step === "understand").length, 3);
  // Two voices, a role for each, and modules that were delivered: nothing was skipped.
  const said = payloads(history).join("\n");
  t.true(said.includes('{"speakers":2}') && said.includes('{"agents":1,"customers":1,"warnings":0}'), said);
  t.regex(said, /"delivered":[1-9]/);
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
