import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import test from "ava";
import { createLog } from "../../process/log.ts";
import { readResult } from "../../storage/results.ts";
import { workerConfig } from "../../workflows/config.ts";
import { installRuntime } from "../../workflows/runtime.ts";
import { type RunningWorker, startWorker } from "../../workflows/worker.ts";
import { breaks, type Double, fails, hangs, type Script, says, startDouble } from "../upstream/double.ts";
import { DoubleEngine, preparing, SPOKEN } from "./doubles.ts";
import { type Stack, type Submission, startStack } from "./stack.ts";

/** One stack and one model; a worker a test, so that its log is its own. */
let stack: Stack;
let model: Double;
test.before(async () => {
  [stack, model] = await Promise.all([startStack(), startDouble()]);
  installRuntime(createLog("worker", "silent"));
});
test.after.always(async () => {
  await stack?.stop();
  await model?.stop();
});

const ALL = {
  topic_detection: {},
  summarization: { context: "palimpsesto" },
  action_items: {},
  sentiment_analysis: {},
  content_moderation: {},
  profanity_filter: { policy: "mask" },
  pii_redaction: { policy: "entity_name" },
};

/** A call without content, so its one label needs no other reason in it. The double hears `quelonio0.`, `quelonio1.`, …; a person's name, says the model. */
const GOOD: Record<string, unknown> = {
  topic_detection: [{ label: "call_no_content", relevance: 0.5 }],
  summarization: [`Hablan de ${SPOKEN}0 y de ${SPOKEN}1.`],
  action_items: [{ text: `Llamar sin falta a ${SPOKEN}1`, owner: `${SPOKEN}1`, due: "mañana" }],
  content_moderation: [],
  profanity_filter: [],
  pii_redaction: [0, 1, 2, 3].map((n) => ({ type: "PERSON", text: `${SPOKEN}${n}` })),
};

const RECORDING = "a recording";

type Answers = Partial<Record<"insight" | "safety" | "pii", Script>>;

/** Answers by group, well unless told otherwise. */
function answering(answers: Answers = {}): Script {
  return (seen) => {
    const { system } = { system: String(seen.body.messages[0].content) };
    const fields = [...system.matchAll(/^"(\w+)": /gm)].map(([, field]) => field as string);
    const group = fields.includes("pii_redaction")
      ? "pii"
      : fields.includes("content_moderation")
        ? "safety"
        : "insight";
    const own = answers[group] ?? says(JSON.stringify(Object.fromEntries(fields.map((field) => [field, GOOD[field]]))));
    return own(seen);
  };
}

interface Run {
  upstreams?: object;
  submission?: Submission;
}

/** A transcript from its row to its end, and everything it left in places where no words may be. */
async function transcribed(answers: Answers, { upstreams, submission }: Run = {}) {
  model.answer(answering(answers));
  const before = model.seen.length;
  const lines: string[] = [];
  const log = createLog(
    "worker",
    "trace",
    new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk));
        done();
      },
    }),
  );
  const environment = {
    ...stack.environment,
    ESCRIBA_UPSTREAMS: JSON.stringify(upstreams ?? { "service-llm-1-small": { url: model.url, model: "theirs" } }),
  };
  const replaced = { engine: new DoubleEngine(), prepareAudio: preparing(2, 2) };
  const worker: RunningWorker = await startWorker(workerConfig(environment), log, replaced);
  try {
    const submitted = await stack.submit(Buffer.from(RECORDING), {
      language: "es",
      understanding: ALL,
      modules: Object.keys(ALL) as never,
      ...submission,
    });
    const row = await submitted.final();
    const handle = stack.temporal.client.workflow.getHandle(submitted.id);
    await handle.result();
    const result = await readResult(stack.postgres.db, submitted.id);
    return {
      row,
      understanding: JSON.parse(result?.understanding ?? "null"),
      pii: JSON.parse(result?.pii ?? "null"),
      metrics: JSON.parse(result?.metrics ?? "null"),
      warnings: result?.warnings ?? [],
      objects: await submitted.objects(),
      upload: await text(await stack.store.get(submitted.uploadKey)),
      asked: model.seen.slice(before).map(({ body }) => body),
      exposition: await (await fetch(worker.metricsUrl)).text(),
      // Payloads are bytes in a history; this is what they say.
      told: `${payloadsOf(await handle.fetchHistory())}\n${lines.join("")}`,
    };
  } finally {
    await worker.drain();
  }
}

function payloadsOf(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (value === null || typeof value !== "object") return typeof value === "string" ? value : "";
  return Object.values(value).map(payloadsOf).join("\n");
}

test.serial(
  "three questions bring the modules; what is delivered is shown and billed, what is not is named",
  async (t) => {
    const { row, understanding, pii, metrics, warnings, objects, upload, asked, exposition } = await transcribed({});
    t.is(row?.status, "completed");
    t.is(asked.length, 3);
    t.deepEqual(understanding, {
      topic_detection: {
        topics: [{ label: "call_no_content", relevance: 0.5 }],
        taxonomy: "contact_center",
        taxonomy_version: 1,
      },
      summarization: { text: `Hablan de ${SPOKEN}0 y de ${SPOKEN}1.` },
      action_items: { items: [{ text: `Llamar sin falta a ${SPOKEN}1`, owner: `${SPOKEN}1`, due: null }] },
      content_moderation: { findings: [] },
      profanity_filter: { terms: [] },
    });
    t.is(pii.text_redacted, "[PERSON]. [PERSON]. [PERSON]. [PERSON].");
    t.is(pii.policy, "entity_name");
    t.deepEqual(pii.entities[1], { type: "PERSON", utterance: 1, start: 0, end: SPOKEN.length + 1 });
    t.false(JSON.stringify(pii).includes(SPOKEN));
    t.is(upload, RECORDING);
    // Nobody knows who the customer is.
    t.true(warnings.includes("module_unavailable:sentiment_analysis"));
    t.is(warnings.filter((warning) => warning.startsWith("module_")).length, 1);
    // One minute: 0.39, and all seven asked for: the lesser of 0.29 and the six delivered, 0.36.
    t.is(row?.costEur, "0.011333333");
    t.true(metrics.understanding_seconds > 0);
    t.regex(metrics.prompt_version, /^\d{4}-\d\d-\d\d/);
    t.deepEqual(objects, []);
    t.regex(exposition, /escriba_understanding_tokens_total\{group="pii",direction="prompt",process="worker"\} 7\n/);
    t.regex(
      exposition,
      /escriba_understanding_modules_total\{module="pii_redaction",outcome="delivered",process="worker"\} 1\n/,
    );
  },
);

test.serial("no word of the call, of the model or of the client is in Temporal or in a log", async (t) => {
  const { told, warnings } = await transcribed({ safety: says(`no JSON, but ${SPOKEN} and trabucaire`) });
  t.true(warnings.includes("module_failed:content_moderation"));
  t.true(told.includes("understand"));
  for (const secret of [SPOKEN, "palimpsesto", "trabucaire", "http:"]) t.false(told.includes(secret), secret);
});

test.serial("a failing group takes its own modules along, unbilled, and never the transcript", async (t) => {
  const cases: [Answers, string[], string][] = [
    [{ safety: says("Sorry.") }, ["module_failed:content_moderation", "module_failed:profanity_filter"], "0.011166667"],
    [{ pii: breaks }, ["module_unavailable:pii_redaction"], "0.011000000"],
    [
      { insight: fails(400) },
      ["topic_detection", "summarization", "action_items"].map((it) => `module_unavailable:${it}`),
      "0.009333333",
    ],
  ];
  for (const [answers, named, cost] of cases) {
    const { row, understanding, pii, warnings, told } = await transcribed(answers);
    t.is(row?.status, "completed");
    t.deepEqual(
      warnings.filter((warning) => warning.startsWith("module_") && !warning.endsWith("sentiment_analysis")).toSorted(),
      named.toSorted(),
    );
    for (const warning of named) t.false(Object.hasOwn(understanding, warning.split(":")[1] ?? ""), warning);
    t.is(pii === null, "pii" in answers);
    t.is(row?.costEur, cost);
    t.false(told.includes(SPOKEN));
  }
});

test.serial("without a model, and without a word said, every module is unavailable and nobody is asked", async (t) => {
  const every = Object.keys(ALL).map((module) => `module_unavailable:${module}`);
  const { row, warnings, understanding, asked } = await transcribed({}, { upstreams: {} });
  t.is(row?.status, "completed");
  t.is(row?.costEur, "0.006500000");
  t.deepEqual(warnings.filter((warning) => warning.startsWith("module_")).toSorted(), every.toSorted());
  t.deepEqual(understanding, {});
  t.is(asked.length, 0);
});

test.serial("a delete while the model thinks ends the question at once", async (t) => {
  const running = transcribed({ insight: hangs }).catch((error) => error);
  const { deleteTranscript } = await import("../../billing/delete-transcript.ts");
  for (;;) {
    const question = model.seen.find(
      ({ body, response }) =>
        JSON.stringify(body).includes("summarization") && !response.closed && !response.writableEnded,
    );
    if (question) {
      const rows = await stack.postgres.db.transcript.findMany({ where: { status: "processing" } });
      const [row] = rows;
      if (row) {
        await deleteTranscript(stack.postgres.db, row.organizationId, row.id);
        await question.closed;
        break;
      }
    }
    await sleep(50);
  }
  t.is(((await running) as Error).name, "WorkflowFailedError");
});
