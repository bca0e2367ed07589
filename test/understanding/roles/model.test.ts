import test from "ava";
import * as z from "zod";
import { createLog } from "../../../process/log.ts";
import { Registry } from "../../../process/metrics.ts";
import { readSettings } from "../../../process/settings.ts";
import { createUnderstandingMetrics } from "../../../understanding/metrics.ts";
import { barred, calibratedVote } from "../../../understanding/roles/calibrated-model.ts";
import { calibrateModel, callsForModel } from "../../../understanding/roles/calibration/calibrate-model.ts";
import { calibrationSetting } from "../../../understanding/roles/calibration-setting.ts";
import { excerpt } from "../../../understanding/roles/excerpt.ts";
import { heuristicVote } from "../../../understanding/roles/heuristic.ts";
import { modelVote, promptFingerprint } from "../../../understanding/roles/model-vote.ts";
import type { Call } from "../../../understanding/types.ts";
import { createUpstreams } from "../../../upstream/clients.ts";
import { type Double, type Script, type Seen, says, startDouble } from "../../upstream/double.ts";

const log = createLog("roles", "silent");
const signal = new AbortController().signal;

const CALL: Call = {
  language: "en",
  utterances: ["Northbank, how can I help?", "My card is lost.", "What is your name?", "Ann Lee."].map(
    (text, index) => ({
      ...{ speaker: String(index % 2), speakerRole: null, text, start: index, end: index + 1 },
    }),
  ),
};
const RIGHT = { roles: { "0": "agent", "1": "customer" }, certain: true };

/** Our own client of a server that answers as it is told. */
async function withModel<T>(
  answer: (seen: Seen, count: number) => object | string | Script,
  run: (parts: Parameters<typeof modelVote>[1], double: Double, seen: Seen[], registry: Registry) => Promise<T>,
  settings: object = {},
): Promise<T> {
  const double = await startDouble();
  const asked: Seen[] = [];
  double.answer((seen) => {
    const given = answer(seen, asked.length);
    asked.push(seen);
    if (typeof given === "function") return given(seen);
    return says(typeof given === "string" ? given : JSON.stringify(given))(seen);
  });
  const upstreams = { "service-llm-1-small": { url: double.url, model: "theirs", ...settings } };
  const registry = new Registry();
  const clients = createUpstreams(upstreams, { log, registry, timing: { firstWaitMs: 1 } });
  const metrics = createUnderstandingMetrics(registry);
  const client = clients.of("service-llm-1-small");
  try {
    if (!client) throw new Error("no client");
    return await run({ client, random: () => 0.5, signal, log, metrics }, double, asked, registry);
  } finally {
    await clients.close();
    await double.stop();
  }
}

test("what a vote took is counted, believed or not", async (t) => {
  await withModel(
    (_, count) => (count === 0 ? "Sorry?" : RIGHT),
    async (parts, _, __, registry) => {
      await modelVote(CALL, parts);
      const text = await registry.metrics();
      // The double counts 7 tokens of a prompt and a word of its answer as one.
      t.regex(text, /escriba_understanding_tokens_total\{group="roles",direction="prompt"\} 14\n/);
      t.regex(text, /escriba_understanding_tokens_total\{group="roles",direction="completion"\} 2\n/);
      t.regex(text, /escriba_understanding_cost_eur_total\{group="roles"\} 16\n/);
      t.regex(text, /escriba_understanding_questions_total\{group="roles",outcome="doubted"\} 1\n/);
      t.regex(text, /escriba_understanding_questions_total\{group="roles",outcome="believed"\} 1\n/);
    },
    { cost: { prompt: 1e6, completion: 1e6 } },
  );
});

const prompt = ({ body }: Seen) => (body.messages as { content: string }[]).map(({ content }) => content).join("\n");

test("the model is asked for every speaker, about the call as data between marks", async (t) => {
  await withModel(
    () => RIGHT,
    async (parts, _, seen) => {
      t.deepEqual(await modelVote(CALL, parts), { "0": "agent", "1": "customer" });
      t.is(seen.length, 1);
      t.regex(prompt(seen[0] as Seen), /<call-(\w+)>\nspeaker 0: Northbank, how can I help\?[\s\S]+<\/call-\1>/);
      t.regex(prompt(seen[0] as Seen), /It is data/);
    },
  );
});

test("who is unknown to the model is null; a model that is not certain abstains", async (t) => {
  const unknown = { roles: { "0": "agent", "1": "unknown" }, certain: true };
  t.deepEqual(
    await withModel(
      () => unknown,
      (parts) => modelVote(CALL, parts),
    ),
    { "0": "agent", "1": null },
  );
  t.is(
    await withModel(
      () => ({ ...RIGHT, certain: false }),
      (parts) => modelVote(CALL, parts),
    ),
    null,
  );
});

for (const [what, answer] of [
  ["no JSON", "Speaker 0 is the agent."],
  ["a speaker too many", { roles: { ...RIGHT.roles, "2": "agent" }, certain: true }],
  ["a speaker too few", { roles: { "0": "agent" }, certain: true }],
  ["a role that there is not", { roles: { "0": "agent", "1": "supervisor" }, certain: true }],
  ["a list", { roles: ["agent", "customer"], certain: true }],
  ["no certainty", { roles: RIGHT.roles }],
  ["another certainty", { roles: RIGHT.roles, certain: "yes" }],
] as const) {
  test(`an answer that is not believed is asked for once more, then given up: ${what}`, async (t) => {
    await withModel(
      () => answer,
      async (parts, _, seen) => {
        t.is(await modelVote(CALL, parts), null);
        t.is(seen.length, 2);
      },
    );
    const second = await withModel(
      (_, count) => (count === 0 ? answer : RIGHT),
      (parts) => modelVote(CALL, parts),
    );
    t.deepEqual(second, { "0": "agent", "1": "customer" });
  });
}

test("a server that is away is an abstention, a signal is not", async (t) => {
  await withModel(
    () => RIGHT,
    async (parts, double) => {
      await double.stop();
      t.is(await modelVote(CALL, parts), null);
      const gone = AbortSignal.abort(new Error("gone"));
      await t.throwsAsync(modelVote(CALL, { ...parts, signal: gone }), { message: "gone" });
    },
  );
});

test("of a long call the beginning and the end are shown, in the model's window", async (t) => {
  const lines = Array.from({ length: 2_000 }, (_, index) => ({
    ...{ index, role: null, speaker: String(index % 2), text: `this is turn ${index} of a call that does not end` },
  }));
  const shown = excerpt(lines, 3_000);
  t.true(shown.length <= 3_000 + 5);
  t.regex(shown, /^speaker 0: this is turn 0 .*\n\[…\]\n.*this is turn 1999 /s);
  t.is(excerpt(lines.slice(0, 3), 3_000).split("\n").length, 3);
  const long: Call = {
    language: "en",
    utterances: lines.map(({ speaker, text }, start) => ({ speaker, text, speakerRole: null, start, end: start + 1 })),
  };
  await withModel(
    () => RIGHT,
    async (parts, _, seen) => {
      await modelVote(long, parts);
      t.true(prompt(seen[0] as Seen).length < 2_048 * 4);
    },
    { context_window: 2_048 },
  );
});

test("a model that is nearly always right passes its calibration and then votes as sure as it was right", async (t) => {
  const answers = new Map(callsForModel().map(({ call, truth }) => [call.utterances.at(-1)?.text, truth]));
  const oracle = (seen: Seen) => {
    const spoken = /<call-\w+>\n([\s\S]*)\n<\/call-/.exec(prompt(seen))?.[1] ?? "";
    const last = spoken
      .split("\n")
      .at(-1)
      ?.replace(/^speaker \d+: /, "");
    const said = [...new Set([...spoken.matchAll(/^speaker (\d+):/gm)].map(([, speaker]) => speaker as string))];
    const truth = answers.get(last) ?? {};
    const company = Object.values(truth).some((role) => role === "agent");
    return {
      roles: Object.fromEntries(said.map((speaker) => [speaker, truth[speaker] ?? "unknown"])),
      certain: company,
    };
  };
  await withModel(oracle, async (parts) => {
    const { calibration, score } = await calibrateModel(parts, { atOnce: 8 });
    t.true(score.passed, JSON.stringify(score));
    t.true(score.coverage > 0.9);
    t.is(calibration.calls, callsForModel().length);
    t.is(barred(calibration, "theirs"), null);
    const vote = await calibratedVote(calibration, parts)(callsForModel()[0]?.call as Call);
    t.true((vote?.confidence ?? 0) > 0.95 && (vote?.confidence ?? 1) < 1);
  });
});

test("a model that says whatever comes first fails, and has no vote", async (t) => {
  const calls = callsForModel().filter((_, index) => index % 4 === 0);
  await withModel(
    (_, count) => ({
      roles: { "0": count % 2 ? "agent" : "customer", "1": count % 2 ? "customer" : "agent" },
      certain: true,
    }),
    async (parts) => {
      const { calibration, score } = await calibrateModel(parts, { calls, atOnce: 4 });
      t.false(score.passed);
      t.is(barred(calibration, "theirs"), "failed");
    },
  );
});

test("without a calibration, or with that of another model or question, a model has no vote", (t) => {
  const good = { model: "qwen", prompt: promptFingerprint(), calls: 100, answered: 90, precision: 0.98 };
  t.is(barred(good, "qwen"), null);
  t.is(barred(null, "qwen"), "not calibrated");
  t.is(barred(good, "llama"), "another model");
  t.is(barred(good, undefined), "another model");
  t.is(barred({ ...good, prompt: "00000000" }, "qwen"), "another prompt");
  t.is(barred({ ...good, precision: 0.949 }, "qwen"), "failed");
  t.is(barred({ ...good, answered: 0, precision: 1 }, "qwen"), "failed");
});

test("the setting is what the command printed; anything else is refused with its name", (t) => {
  const schema = z.object({ ESCRIBA_ROLES_CALIBRATION: calibrationSetting() });
  const read = (text?: string) => readSettings(schema, { ESCRIBA_ROLES_CALIBRATION: text }).ESCRIBA_ROLES_CALIBRATION;
  t.is(read(), null);
  t.is(read(""), null);
  const good = { model: "qwen", prompt: "12345678", calls: 100, answered: 90, precision: 0.98 };
  t.deepEqual(read(JSON.stringify(good)), good);
  for (const bad of ["{", "1", '{"model":"qwen"}', JSON.stringify({ ...good, precision: 98 })])
    t.throws(() => read(bad), { message: /ESCRIBA_ROLES_CALIBRATION/ });
});

test("the heuristic and the calibration calls are the model's too: nothing in them is its answer", (t) => {
  const calls = callsForModel();
  t.true(calls.length >= 150);
  t.true(calls.every(({ call }) => call.utterances.every(({ speakerRole }) => speakerRole === null)));
  t.true(calls.some(({ call }) => heuristicVote(call) === null));
});
