import test from "ava";
import { createTranscript } from "../../billing/create-transcript.ts";
import { transcriptRequest } from "../support/organization.ts";
import { type Harness, startHarness } from "./harness.ts";

let harness: Harness;
test.before(async () => {
  // Nobody is there, and nobody is asked.
  const nobody = { url: "http://127.0.0.1:9", model: "none" };
  const models = { "service-llm-1-small": nobody, "service-embed-1": nobody };
  harness = await startHarness({ ESCRIBA_UPSTREAMS: JSON.stringify(models) });
});
test.after.always(() => harness?.stop());

for (const [balance, shown] of [
  ["0.0000005", 0],
  ["0.000000501", 0.000001],
  ["0.0000015", 0.000002],
  ["1.2345665", 1.234566],
  ["1.2345675", 1.234568],
  ["1.234567499", 1.234567],
  ["1234567890.123456789", 1_234_567_890.123457],
] as const) {
  test(`balance_eur of ${balance} is ${shown}: six places, half to even`, async (t) => {
    const { call } = await harness.tenant({ credit: balance });
    const { body, text } = await call("GET", "/v1/balance");
    t.is(body.balance_eur, shown);
    t.regex(text, /"balance_eur":\d+(\.\d{1,6})?[,}]/);
  });
}

test("balance_eur counts what is held for work under way; zero is 0", async (t) => {
  const { call, organizationId } = await harness.tenant({ credit: "0.39" });
  const held = transcriptRequest(organizationId, { audioUrl: "https://example.com/call.mp3" });
  t.is((await createTranscript(harness.postgres.db, held)).outcome, "ok");
  t.is((await call("GET", "/v1/balance")).body.balance_eur, 0.39);
  const poor = await harness.tenant({ credit: "0" });
  t.is((await poor.call("GET", "/v1/balance")).body.balance_eur, 0);
});

test("spend_cap_eur is shown in six places, or null, and is not enforced", async (t) => {
  const { call } = await harness.tenant({ credit: "1", spendCapEur: "0.0000015" });
  t.is((await call("GET", "/v1/balance")).body.spend_cap_eur, 0.000002);
  const { status } = await call("POST", "/v1/transcripts", { json: { audio_url: "https://example.com/call.mp3" } });
  t.is(status, 202);
  t.is((await (await harness.tenant()).call("GET", "/v1/balance")).body.spend_cap_eur, null);
});

test("a balance of zero is 402 on every billed route, and on none that is not", async (t) => {
  const { call } = await harness.tenant({ credit: "0", spendCapEur: "5" });
  for (const [path, json] of [
    ["/v1/transcripts", { audio_url: "https://example.com/call.mp3" }],
    ["/v1/chat/completions", { model: "service-llm-1-small", messages: [{ role: "user", content: "Hola" }] }],
    ["/v1/embeddings", { model: "service-embed-1", input: "hola" }],
  ] as const) {
    const { status, body } = await call("POST", path, { json });
    t.deepEqual([path, status, body.error.code], [path, 402, "insufficient_credit"]);
  }
  for (const path of ["/v1/me", "/v1/balance", "/v1/models", "/v1/transcripts"]) {
    t.is((await call("GET", path)).status, 200, path);
  }
});
