import test from "ava";
import { ApiError } from "../../api/errors/api-error.ts";
import { MeteredCall, type Metering } from "../../api/metered-call.ts";
import { readBalance } from "../../billing/credit.ts";
import { createLog } from "../../process/log.ts";
import { Counter, Registry } from "../../process/metrics.ts";
import { newEmbeddingId } from "../../storage/ids.ts";
import { newOrganization } from "../support/organization.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";

let postgres: TestPostgres;
test.before(async () => {
  postgres = await startTestPostgres();
});
test.after.always(() => postgres?.stop());

function metering(more: Partial<Metering> = {}): Metering {
  const registers = [new Registry()];
  const writtenOff = new Counter({ name: "written_off", help: "Euros.", registers });
  return { database: postgres.db, log: createLog("api", "silent"), writtenOff, ...more };
}

/** A million tokens of 0.28 €, in a hold of its own. */
async function hold(parts: Metering, creditEur = "1") {
  const organization = await newOrganization(postgres.db, { creditEur });
  const id = newEmbeddingId();
  const call = await MeteredCall.hold(parts, {
    id,
    organizationId: organization.id,
    apiKeyId: null,
    kind: "embeddings",
    model: "service-embed-1",
    promptTokens: 1_000_000,
    completionTokens: 0,
  });
  return { id, call, balance: async () => (await readBalance(postgres.db, organization.id)).balance };
}
const tokens = (promptTokens: number) => ({ promptTokens, completionTokens: 0, estimated: false });

test("402 insufficient_credit when the bound is not covered", async (t) => {
  const error = await t.throwsAsync(hold(metering(), "0.279999999"), { instanceOf: ApiError });
  t.is((error as ApiError).code, "insufficient_credit");
});

test("settled: the tokens that were used are charged, the rest comes back", async (t) => {
  const { call, balance } = await hold(metering());
  t.is(await call.settle(tokens(500_000)), "settled");
  t.is(await balance(), "0.860000000");
});

test("more used than hold and balance cover: the rest is written off and counted", async (t) => {
  const parts = metering();
  const { call, balance } = await hold(parts, "0.3");
  await call.settle(tokens(2_000_000));
  t.is(await balance(), "0.000000000");
  t.deepEqual((await parts.writtenOff.get()).values[0]?.value, 0.26);
});

test("released: nothing is charged, and a settlement after it charges nothing", async (t) => {
  const { call, balance } = await hold(metering());
  await call.release();
  t.is(await call.settle(tokens(500_000)), "released");
  t.is(await balance(), "1.000000000");
});

test("while it runs its lease is renewed; once it ended it is not", async (t) => {
  const { id, call } = await hold(metering({ renewalMs: 5 }));
  const leased = async () => (await postgres.db.usageCall.findUniqueOrThrow({ where: { id } })).leasedUntil;
  await postgres.db.usageCall.update({ where: { id }, data: { leasedUntil: new Date(0) } });
  while ((await leased()) < new Date()) await new Promise((resolve) => setTimeout(resolve, 5));
  await call.settle(tokens(1));
  await postgres.db.usageCall.update({ where: { id }, data: { leasedUntil: new Date(0) } });
  await new Promise((resolve) => setTimeout(resolve, 50));
  t.deepEqual(await leased(), new Date(0));
});

test("a charge whose answer was lost is sent again, and charges once", async (t) => {
  const { db } = postgres;
  let lost = 0;
  const forgetful = {
    async $queryRaw(...query: Parameters<typeof db.$queryRaw>) {
      const answer = await db.$queryRaw(...query);
      if (!JSON.stringify(answer).includes("charged_eur") || lost === 2) return answer;
      lost += 1;
      throw Object.assign(new Error("gone"), { code: "ECONNRESET" });
    },
  };
  const parts = metering({ settleWaitsMs: [1, 1, 1], database: forgetful as unknown as Metering["database"] });
  const { call, balance } = await hold(parts);
  t.is(await call.settle(tokens(500_000)), "repeated");
  t.is(lost, 2);
  t.is(await balance(), "0.860000000");
});

test("a charge is given up when the database stays away", async (t) => {
  const parts = metering({ settleWaitsMs: [1] });
  const { call } = await hold(parts);
  const down = Object.assign(new Error("down"), { code: "ECONNREFUSED" });
  parts.database = { $queryRaw: () => Promise.reject(down) } as unknown as Metering["database"];
  t.is(await t.throwsAsync(call.settle(tokens(1))), down);
});

test("a release without the database leaves the hold to the sweeper, and hides no other error", async (t) => {
  const parts = metering();
  const { call } = await hold(parts);
  parts.database = { $queryRaw: () => Promise.reject(new Error("down")) } as unknown as Metering["database"];
  await t.notThrowsAsync(call.release());
});
