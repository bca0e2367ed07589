import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { WorkflowFailedError } from "@temporalio/client";
import test from "ava";
import { deleteTranscript } from "../../billing/delete-transcript.ts";
import { ChildCrashed, ChildFailure } from "../../process/child-process.ts";
import { CorruptAudio } from "../../speech/prepare.ts";
import { readResult } from "../../storage/results.ts";
import { readWork } from "../../storage/transcripts.ts";
import { FAILURES } from "../../workflows/failures.ts";
import type { Replacements } from "../../workflows/served-queue.ts";
import { DoubleEngine, preparing, SPOKEN } from "./doubles.ts";
import { eventually, type Stack, type Submission, type Submitted, startStack } from "./stack.ts";

/** One stack, one worker at a time: the doubles of a test must not serve another's. */
let stack: Stack;
test.before(async () => {
  stack = await startStack();
});
test.after.always(() => stack?.stop());

const AUDIO = Buffer.from("a recording");

async function withWorker(
  replaced: Replacements,
  work: () => Promise<void>,
  environment: Record<string, string> = {},
): Promise<void> {
  const worker = await stack.worker(replaced, environment);
  try {
    await work();
  } finally {
    await worker.drain();
  }
}

/** Submits, waits for the end, and answers what is left behind. */
async function ended(submission: Submission = {}, audio: Uint8Array = AUDIO) {
  const submitted = await stack.submit(audio, submission);
  const row = await submitted.final();
  await closed(submitted);
  return { submitted, row, ledger: await submitted.ledger(), events: await submitted.events() };
}

/** Resolves when the workflow has ended, however it did: its clean-up is over then. */
async function closed({ id }: Submitted): Promise<string> {
  const handle = stack.temporal.client.workflow.getHandle(id);
  await handle.result().catch((error) => {
    if (!(error instanceof WorkflowFailedError)) throw error;
  });
  return (await handle.describe()).status.name;
}

async function historyOf({ id }: Submitted) {
  return stack.temporal.client.workflow.getHandle(id).fetchHistory();
}

test.serial("a recording of many chunks completes, is charged once and leaves nothing behind", async (t) => {
  const engine = new DoubleEngine();
  await withWorker({ engine, prepareAudio: preparing(12, 2) }, async () => {
    const { submitted, row, ledger, events } = await ended({
      language: "es",
      modules: ["summarization", "pii_redaction"],
      understanding: { summarization: {}, pii_redaction: {} },
      customVocabulary: ["Escriba"],
    });
    t.is(row?.status, "completed");
    t.is(row?.durationMs, 48_000);
    t.is(row?.costEur, "0.006500000");
    t.deepEqual(ledger, ["hold", "charge", "release"]);
    t.deepEqual(events, ["transcript.completed"]);
    t.is((await submitted.balance()).held, "0.000000000");
    t.deepEqual(await submitted.objects(), []);
    t.deepEqual(
      engine.heard.toSorted((a, b) => a - b),
      Array.from({ length: 24 }, (_, i) => i),
    );
    const result = await readResult(stack.postgres.db, submitted.id);
    t.is(result?.text, Array.from({ length: 24 }, (_, i) => `${SPOKEN}${i}.`).join(" "));
    t.deepEqual(result?.warnings, [
      "diarization_unavailable",
      "module_unavailable:summarization",
      "module_unavailable:pii_redaction",
      "feature_unavailable:custom_vocabulary",
    ]);
    t.deepEqual(await readWork(stack.postgres.db, submitted.id), [
      // Roles, and the two groups of the modules that were asked for: done when the row is final.
      { queue: "language", plannedChunks: 3, plannedMs: 48_000, doneChunks: 0, doneMs: 0 },
      { queue: "media", plannedChunks: 1, plannedMs: 0, doneChunks: 1, doneMs: 0 },
      { queue: "speech-short", plannedChunks: 12, plannedMs: 48_000, doneChunks: 12, doneMs: 48_000 },
    ]);
  });
});

test.serial(
  "the vocabulary reaches the engine by the object store, and is said to be missing only where it was",
  async (t) => {
    const vocabulary = ["almirez", "fibra óptica"];
    const warns = async ({ id }: Submitted) =>
      (await readResult(stack.postgres.db, id))?.warnings.includes("feature_unavailable:custom_vocabulary");
    const engine = new DoubleEngine(undefined, undefined, { terms: 1 });
    await withWorker({ engine, prepareAudio: preparing(2, 1) }, async () => {
      const { submitted, row } = await ended({ language: "es", customVocabulary: vocabulary });
      t.is(row?.status, "completed");
      t.deepEqual(engine.vocabularies, [vocabulary, vocabulary]);
      t.is(await warns(submitted), false);
      const history = await historyOf(submitted);
      t.false((Buffer.from(JSON.stringify(history)).toString() + payloadsOf(history)).includes("almirez"));
      await ended({ language: "es" });
      t.deepEqual(engine.vocabularies.slice(2), [undefined, undefined]);
    });
    await withWorker(
      { engine: new DoubleEngine(undefined, undefined, { terms: null }), prepareAudio: preparing(1, 1) },
      async () => {
        t.is(await warns((await ended({ language: "es", customVocabulary: vocabulary })).submitted), true);
      },
    );
    await withWorker({ engine: new DoubleEngine(), prepareAudio: preparing(0, 0) }, async () => {
      t.is(await warns((await ended({ language: "es", customVocabulary: vocabulary })).submitted), false);
    });
  },
);

test.serial("at most eight chunks of a transcript wait or run at a time, in its organization's share", async (t) => {
  await withWorker({ engine: new DoubleEngine(), prepareAudio: preparing(20, 1) }, async () => {
    const { submitted, row } = await ended({ language: "es", priority: "economy" });
    t.is(row?.status, "completed");
    const outstanding = new Set<string>();
    let most = 0;
    for (const { eventId, ...event } of (await historyOf(submitted)).events ?? []) {
      const scheduled = event.activityTaskScheduledEventAttributes;
      const completed = event.activityTaskCompletedEventAttributes?.scheduledEventId;
      if (scheduled) {
        t.is(scheduled.priority?.fairnessKey, `${submitted.organizationId}/economy`);
        t.is(scheduled.priority?.fairnessWeight, 0.25);
      }
      if (scheduled?.activityType?.name === "recognise") outstanding.add(String(eventId));
      if (completed) outstanding.delete(String(completed));
      most = Math.max(most, outstanding.size);
    }
    t.is(most, 8);
  });
});

test.serial("silence completes with empty text in the language that was asked for or hinted", async (t) => {
  await withWorker({ engine: new DoubleEngine(), prepareAudio: preparing(0, 0) }, async () => {
    const cases: [Submission, string][] = [
      [{ language: "fr" }, "fr"],
      [{ languageHints: ["ca", "es"] }, "ca"],
      [{}, "und"],
    ];
    for (const [submission, language] of cases) {
      const { submitted, row, ledger } = await ended({ ...submission, modules: ["summarization"] });
      t.is(row?.status, "completed");
      t.is(row?.detectedLanguage, language);
      t.is(row?.languageConfidence, 0);
      t.true(ledger.includes("charge"));
      const result = await readResult(stack.postgres.db, submitted.id);
      t.is(result?.text, "");
      t.true(result?.warnings.includes("asr_no_segments"));
      t.true(result?.warnings.includes("module_unavailable:summarization"));
    }
  });
});

test.serial("a recording that is none fails with a plain message and costs nothing", async (t) => {
  await withWorker({ engine: new DoubleEngine() }, async () => {
    for (const [audio, code] of [
      [Buffer.from("PK\u0003\u0004 not audio"), "unsupported_audio_format"],
      [Buffer.alloc(0), "audio_corrupt"],
    ] as const) {
      const { submitted, row, ledger, events } = await ended({}, audio);
      t.is(row?.status, "failed");
      t.is(row?.errorMessage, FAILURES[code].message);
      t.deepEqual(ledger, ["hold", "release"]);
      t.deepEqual(events, ["transcript.failed"]);
      t.is((await submitted.balance()).spendable, "1.000000000");
      t.deepEqual(await submitted.objects(), []);
      t.is(await closed(submitted), "FAILED");
    }
  });
});

test.serial("what the log may say never enters the history: a failure is its code alone", async (t) => {
  const prepareAudio = async () => {
    throw new CorruptAudio(`the bytes ${SPOKEN} make no sense`);
  };
  await withWorker({ engine: new DoubleEngine(), prepareAudio }, async () => {
    const { submitted } = await ended();
    const history = JSON.stringify(await historyOf(submitted));
    t.true(history.includes("audio_corrupt"));
    t.false(history.includes(SPOKEN));
    t.false(history.includes("make no sense"));
  });
});

test.serial("a balance that does not cover the real length fails it", async (t) => {
  const long = preparing(1, 1, { durationMs: 2 * 3_600_000 });
  await withWorker({ engine: new DoubleEngine(), prepareAudio: long }, async () => {
    const { submitted, row } = await ended({ creditEur: "0.10" });
    t.is(row?.status, "failed");
    t.is(row?.errorMessage, FAILURES.insufficient_credit.message);
    t.is((await submitted.balance()).spendable, "0.100000000");
  });
});

test.serial("a delete in mid-way ends the work, removes every object and bills nothing", async (t) => {
  const reached = Promise.withResolvers<void>();
  const engine = new DoubleEngine(async ({ index }, { signal }) => {
    if (index < 3) return;
    reached.resolve();
    // Beats until it is told to end, as the real engine would.
    await new Promise<void>((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
  });
  await withWorker({ engine, prepareAudio: preparing(1, 6) }, async () => {
    const submitted = await stack.submit(AUDIO, { language: "es" });
    await reached.promise;
    await eventually(async () => (await submitted.objects()).length > 4); // audio, plan and three windows
    const deleted = await deleteTranscript(stack.postgres.db, submitted.organizationId, submitted.id);
    t.deepEqual(deleted, { outcome: "deleted", wasInFlight: true, uploadKey: submitted.uploadKey });
    t.is(await submitted.final(), null);
    t.is(await closed(submitted), "CANCELLED");
    t.deepEqual(await submitted.objects(), []);
    t.is(await stack.store.head(submitted.uploadKey), null);
    t.deepEqual(await submitted.ledger(), ["hold", "release"]);
    t.deepEqual(await submitted.events(), []);
    t.is((await submitted.balance()).spendable, "1.000000000");
  });
});

test.serial("past its deadline a transcript fails and its hold is released", async (t) => {
  const engine = new DoubleEngine(
    (_, { signal }) =>
      new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason))),
  );
  const submitted = await stack.submit(AUDIO, { language: "es" });
  await stack.postgres.db.$executeRaw`
    UPDATE outbox SET payload = payload || jsonb_build_object('deadlineAt', ${Date.now() + 4_000}::bigint)
    WHERE transcript_id = ${submitted.id}`;
  await withWorker({ engine, prepareAudio: preparing(1, 2) }, async () => {
    const row = await submitted.final();
    t.is(row?.status, "failed");
    t.is(row?.errorMessage, FAILURES.deadline_exceeded.message);
    t.is(await closed(submitted), "FAILED");
    t.deepEqual(await submitted.ledger(), ["hold", "release"]);
    t.deepEqual(await submitted.objects(), []);
  });
});

test.serial("a chunk whose engine crashes is retried, then window by window; nothing is heard twice", async (t) => {
  let crashes = 0;
  const engine = new DoubleEngine(async ({ index }) => {
    if (index === 1 && crashes < 3) {
      crashes += 1;
      throw new ChildCrashed("killed by SIGSEGV", SPOKEN);
    }
  });
  await withWorker({ engine, prepareAudio: preparing(1, 4) }, async () => {
    const { row, ledger } = await ended({ language: "es" });
    t.is(row?.status, "completed");
    t.is(crashes, 3);
    t.deepEqual(engine.calls, [[0, 1], [1, 2], [1, 2], [1], [2], [3]]);
    t.deepEqual(engine.heard, [0, 1, 2, 3]);
    t.deepEqual(ledger, ["hold", "charge"]);
  });
});

test.serial("a window that always kills the engine fails the transcript, after the others were tried", async (t) => {
  const engine = new DoubleEngine(async ({ index }) => {
    if (index === 1) throw new ChildCrashed("killed by SIGSEGV", SPOKEN);
  });
  await withWorker({ engine, prepareAudio: preparing(3, 2) }, async () => {
    const { submitted, row } = await ended({ language: "es" });
    t.is(row?.status, "failed");
    t.is(row?.errorMessage, FAILURES.recognition_crashed.message);
    t.deepEqual(await submitted.objects(), []);
    t.false(JSON.stringify(await historyOf(submitted)).includes(SPOKEN));
  });
});

for (const [what, failure, warning] of [
  ["a model that knows no languages", () => new ChildFailure("LanguagesUnavailable", SPOKEN), "lid_local_unavailable"],
  ["identification that fails", () => new ChildFailure("Error", "no such file /srv/x/a"), "lid_failed: no such file …"],
  ["identification that always crashes", () => new ChildCrashed("killed by SIGSEGV", SPOKEN), "lid_failed: "],
] as const)
  test.serial(`${what} is a warning: the transcript completes in the first hint's language`, async (t) => {
    const engine = new (class extends DoubleEngine {
      #warm = false;
      override async identify() {
        // The worker's first question loads the model; the fault comes with the recording.
        if (!this.#warm) {
          this.#warm = true;
          return super.identify();
        }
        throw failure();
      }
    })();
    await withWorker({ engine, prepareAudio: preparing(1, 2) }, async () => {
      const { submitted, row } = await ended({ languageHints: ["ca", "es"] });
      t.is(row?.status, "completed");
      const result = await readResult(stack.postgres.db, submitted.id);
      t.is(row?.detectedLanguage, "ca");
      t.is(row?.languageConfidence, 0);
      const said = result?.warnings.filter((code) => code.startsWith("lid_")) ?? [];
      t.is(said.length, 1);
      t.true(said[0]?.startsWith(warning), said[0]);
      t.false(JSON.stringify(await historyOf(submitted)).includes(SPOKEN));
    });
  });

test.serial("audio_url is fetched once, and neither it nor metadata nor text enters Temporal", async (t) => {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    response.end(AUDIO);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const audioUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/gancho-secreto.wav?token=abracadabra`;
  try {
    const work = async () => {
      const { submitted, row } = await ended({
        source: { audioUrl },
        metadata: '{"cliente":"palimpsesto"}',
        customVocabulary: ["almirez"],
      });
      t.is(row?.status, "completed");
      t.is(row?.detectedLanguage, "es");
      t.is(requests, 1);
      t.deepEqual(await submitted.objects(), []);
      const history = await historyOf(submitted);
      const text = Buffer.from(JSON.stringify(history)).toString() + payloadsOf(history);
      for (const secret of ["gancho-secreto", "abracadabra", "palimpsesto", "almirez", SPOKEN, "http:"]) {
        t.false(text.includes(secret), secret);
      }
      t.true(text.includes(submitted.id));
    };
    await withWorker({ engine: new DoubleEngine(), prepareAudio: preparing(2, 2) }, work, {
      ESCRIBA_AUDIO_URL_NETWORKS: "127.0.0.0/8",
    });
    await withWorker({ engine: new DoubleEngine(), prepareAudio: preparing(2, 2) }, async () => {
      const { row } = await ended({ source: { audioUrl } });
      t.is(row?.status, "failed");
      t.is(row?.errorMessage, FAILURES.audio_unreachable.message);
      t.is(requests, 1);
    });
  } finally {
    server.close();
  }
});

/** Payloads are bytes in a history; this is what they say. */
function payloadsOf(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (value === null || typeof value !== "object") return "";
  return Object.values(value).map(payloadsOf).join("\n");
}

test.serial("a start relayed twice makes one workflow and one charge", async (t) => {
  const submitted = await stack.submit(AUDIO, { language: "es" });
  await withWorker({ engine: new DoubleEngine(), prepareAudio: preparing(1, 1) }, async () => {
    await submitted.final();
    await closed(submitted);
    await stack.postgres.db.$executeRaw`
      UPDATE outbox SET done_at = NULL, available_at = now()
      WHERE transcript_id = ${submitted.id} AND kind = 'transcript.start'`;
    const waiting = { transcriptId: submitted.id, kind: "transcript.start", doneAt: null };
    await eventually(async () => (await stack.postgres.db.outbox.count({ where: waiting })) === 0);
    t.is((await stack.temporal.client.workflow.count(`WorkflowId = '${submitted.id}'`)).count, 1);
    t.deepEqual(await submitted.ledger(), ["hold", "charge"]);
  });
});
