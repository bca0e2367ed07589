import fc from "fast-check";
import { createTranscript } from "../../billing/create-transcript.ts";
import { addCredit, debitCredit, refundCharge } from "../../billing/credit.ts";
import { deleteTranscript } from "../../billing/delete-transcript.ts";
import { failTranscript } from "../../billing/fail-transcript.ts";
import { MODULES, type Module } from "../../billing/prices.ts";
import { raiseHold } from "../../billing/raise-hold.ts";
import { settleTranscript } from "../../billing/settle-transcript.ts";
import { holdUsage, releaseUsage, settleUsage } from "../../billing/usage.ts";
import type { Database } from "../../storage/database.ts";
import { newChatCompletionId, newFileId } from "../../storage/ids.ts";
import { settlement, transcriptRequest } from "../support/organization.ts";
import { eur, type LedgerModel, type Rules } from "./ledger-model.ts";
import { FATES, type Fate, type Script } from "./script.ts";

export type Step =
  | { kind: "credit"; amount: bigint; reference: string }
  | { kind: "debit"; amount: bigint; reference: string }
  | { kind: "create"; url: boolean; ms: number; modules: Module[]; priority: "standard" | "economy" }
  | { kind: "raise"; at: number; ms: number }
  | { kind: "settle"; at: number; ms: number; share: number }
  | { kind: "fail" | "delete"; at: number }
  | { kind: "hold"; model: string; prompt: number; completion: number }
  | { kind: "charge"; at: number; prompt: number; completion: number }
  | { kind: "release" | "sweep"; at: number }
  | { kind: "refund"; of: "transcript" | "call"; at: number; amount: bigint | null; reference: string };

/** Which transcript or call, modulo those created so far. */
const at = fc.nat({ max: 11 });
const ms = fc.oneof(
  fc.integer({ min: 0, max: 400_000 }),
  fc.constantFrom(0, 1, 59_999, 60_000, 60_001, 3_600_000, 36_000_000),
);
const reference = fc.constantFrom("a", "b", "c", "d", "e", "f");
const priority = fc.constantFrom("standard" as const, "economy" as const);
const modules: fc.Arbitrary<Module[]> = fc.oneof(fc.subarray([...MODULES]), fc.constant<Module[]>([...MODULES]));
const model = fc.constantFrom("service-llm-1-small", "service-llm-1-large");
const tokens = fc.oneof(fc.nat({ max: 20_000 }), fc.constantFrom(0, 1, 32_000, 256_000));
const amount = fc.oneof(fc.bigInt(1n, 100_000_000n), fc.bigInt(1n, 2_000_000_000n));
const part = fc.option(fc.bigInt(1n, 2_000_000n), { freq: 3 });
const is = <K extends string>(kind: K) => fc.constant(kind);

const create = fc.record({ kind: is("create"), url: fc.boolean(), ms, modules, priority });
const hold = fc.record({ kind: is("hold"), model, prompt: tokens, completion: tokens });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: is("credit"), amount, reference }) },
  { weight: 1, arbitrary: fc.record({ kind: is("debit"), amount: fc.bigInt(1n, 60_000_000n), reference }) },
  { weight: 4, arbitrary: create },
  { weight: 3, arbitrary: fc.record({ kind: is("raise"), at, ms }) },
  { weight: 5, arbitrary: fc.record({ kind: is("settle"), at, ms, share: fc.nat({ max: 7 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: is("fail"), at }) },
  { weight: 2, arbitrary: fc.record({ kind: is("delete"), at }) },
  { weight: 3, arbitrary: hold },
  { weight: 5, arbitrary: fc.record({ kind: is("charge"), at, prompt: tokens, completion: tokens }) },
  { weight: 1, arbitrary: fc.record({ kind: is("release"), at }) },
  { weight: 1, arbitrary: fc.record({ kind: is("sweep"), at }) },
  {
    weight: 4,
    arbitrary: fc.record({
      ...{ kind: is("refund"), of: fc.constantFrom("transcript" as const, "call" as const), at, amount: part },
      reference: fc.constantFrom("a", "b"),
    }),
  },
);

/** Most steps happen once; the rest is what crashes do. A cut costs a new connection, so it is rarer. */
const fate: fc.Arbitrary<Fate> = fc.oneof(
  { weight: 150, arbitrary: fc.constant<Fate>(FATES[0]) },
  { weight: 36, arbitrary: fc.constant<Fate>("again") },
  { weight: 12, arbitrary: fc.constant<Fate>("lost") },
  { weight: 1, arbitrary: fc.constant<Fate>("cut before") },
  { weight: 1, arbitrary: fc.constant<Fate>("cut after") },
);

/** Minutes billed before: at the start, and just below each tier. */
const counter = fc.oneof(
  { weight: 4, arbitrary: fc.constant(0) },
  { weight: 3, arbitrary: fc.integer({ min: 59_990, max: 60_001 }) },
  { weight: 2, arbitrary: fc.integer({ min: 599_990, max: 600_001 }) },
);

/** There is credit, and something to act upon. */
const openers = fc
  .record({
    credit: fc.constantFrom(20_000_000n, 500_000_000n, 500_000_000n, 5_000_000_000n),
    work: fc.tuple(create, hold, fc.oneof<fc.Arbitrary<Step>[]>(create, hold)),
    fates: fc.tuple(fate, fate, fate),
  })
  .map(({ credit, work, fates }) => [
    { step: { kind: "credit", amount: credit, reference: "first" } satisfies Step as Step, fate: FATES[0] as Fate },
    ...work.map((step: Step, at) => ({ step, fate: fates[at] ?? FATES[0] })),
  ]);

export const history = fc.record({
  openers,
  steps: fc.array(fc.record({ step, fate }), { minLength: 3, maxLength: 11, size: "max" }),
  /** The list as it is, or with rates that leave remainders to round. */
  listPrices: fc.boolean(),
  before: fc.nat({ max: 5 }),
  counters: fc.tuple(counter, counter),
  /** Connections that share the steps; with more than one their order is theirs. */
  clients: fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, { weight: 2, arbitrary: fc.integer({ min: 2, max: 4 }) }),
});
export type History = typeof history extends fc.Arbitrary<infer T> ? T : never;

/** What was created so far. */
export interface Created {
  transcripts: { id: string; modules: readonly Module[] }[];
  calls: string[];
}

/** Gives a step's statements to the script; resolves, once they were sent, to the outcome. */
export async function perform(
  script: Script,
  fate: Fate,
  rules: Rules,
  organizationId: string,
  created: Created,
  step: Step,
): Promise<string | null> {
  const { prices, tokenPrices } = rules;
  const outcome = async (work: (db: Database) => Promise<{ outcome: string }>) =>
    (await script.under(fate, work)).outcome;
  if (step.kind === "credit" || step.kind === "debit") {
    const move = step.kind === "credit" ? addCredit : debitCredit;
    const { reference } = step;
    return outcome((db) => move(db, { organizationId, amountEur: eur(step.amount), reference }));
  }
  if (step.kind === "create") {
    const { modules, priority, ms: durationMs } = step;
    const fileId = newFileId();
    const source = step.url ? { audioUrl: "https://example.com/call.mp3" } : { fileId, durationMs };
    const file = step.url ? null : insertFile(script.database, organizationId, fileId);
    const request = transcriptRequest(organizationId, source, { modules, priority });
    const creation = outcome((db) => createTranscript(db, request, prices));
    const { id } = JSON.parse(String(script.values[0])) as { id: string };
    created.transcripts.push({ id, modules });
    const [got] = await Promise.all([creation, file]);
    return got;
  }
  if (step.kind === "hold") {
    const { model, prompt: promptTokens, completion: completionTokens } = step;
    const id = newChatCompletionId();
    created.calls.push(id);
    const call = { id, organizationId, apiKeyId: null, kind: "chat" as const, model };
    return outcome((db) => holdUsage(db, { ...call, promptTokens, completionTokens, prices: tokenPrices }));
  }
  if (step.kind === "charge") {
    const id = pick(created.calls, step.at);
    const { prompt: promptTokens, completion: completionTokens } = step;
    return id && outcome((db) => settleUsage(db, { id, promptTokens, completionTokens, estimated: false }));
  }
  if (step.kind === "release" || step.kind === "sweep") {
    const id = pick(created.calls, step.at);
    const end = step.kind === "sweep" ? sweep : releaseUsage;
    return id && script.under(fate, (db) => end(db, id)).then(() => null);
  }
  if (step.kind === "refund") {
    const subjectId = pick(step.of === "call" ? created.calls : created.transcripts.map(({ id }) => id), step.at);
    if (!subjectId) return null;
    const amountEur = step.amount === null ? null : eur(step.amount);
    return outcome((db) => refundCharge(db, { organizationId, subjectId, amountEur, reference: step.reference }));
  }
  const target = pick(created.transcripts, step.at);
  if (!target) return null;
  const { id, modules } = target;
  switch (step.kind) {
    case "raise":
      return outcome((db) => raiseHold(db, id, step.ms, prices));
    case "settle":
      return outcome((db) => settleTranscript(db, settlement(id, step.ms, modules.slice(0, step.share)), prices));
    case "fail":
      return outcome((db) => failTranscript(db, id, "no"));
    case "delete":
      return outcome((db) => deleteTranscript(db, organizationId, id));
  }
}

/** The process of a call dies, and the sweeper finds it. */
async function sweep(db: Database, id: string): Promise<void> {
  await Promise.all([
    db.$executeRaw`UPDATE usage_calls SET leased_until = now() - interval '1 s' WHERE id = ${id} AND status = 'running'`,
    db.$queryRaw`SELECT release_usage(${id}, true) AS answer`,
  ]);
}

const insertFile = (db: Database, organizationId: string, id: string) => db.$executeRaw`
  INSERT INTO files (id, organization_id, filename, bytes, content_type, object_key)
  VALUES (${id}, ${organizationId}::uuid, 'call.wav', 32044, 'audio/wav', ${id})`;

/** What the model says of the same step. */
export function expected(model: LedgerModel, step: Step): string | null {
  switch (step.kind) {
    case "credit":
      return model.move(step.amount, step.reference);
    case "debit":
      return model.move(-step.amount, step.reference);
    case "create":
      return model.create(step.url ? 3_600_000 : step.ms, step.modules, step.priority);
    case "hold":
      return model.holdUsage(step.model, step.prompt, step.completion);
    case "refund": {
      const row = step.of === "call" ? pick(model.calls, step.at) : pick(model.transcripts, step.at);
      return row && model.refund(row, step.amount, step.reference);
    }
    case "charge": {
      const call = pick(model.calls, step.at);
      return call && model.settleUsage(call, step.prompt, step.completion);
    }
    case "release":
    case "sweep": {
      const call = pick(model.calls, step.at);
      return call && model.releaseUsage(call);
    }
  }
  const row = pick(model.transcripts, step.at);
  if (!row) return null;
  if (step.kind === "raise") return model.raise(row, step.ms);
  if (step.kind === "settle") return model.settle(row, step.ms, row.requested.slice(0, step.share));
  return step.kind === "fail" ? model.fail(row) : model.delete(row);
}

const pick = <T>(rows: readonly T[], at: number): T | null => rows[at % rows.length] ?? null;
